/** Sends files to a host and fetches files from it. Nothing is sent again if the link breaks: the copy fails. */
import type { Hash } from "node:crypto";
import { LimpetError } from "../../base/limpet-error.ts";
import { type CopiedFile, FILE_CHUNK_BYTES, type FileOffer, type FilePart } from "../files/file-parts.ts";
import type { HostLink } from "./host-link.ts";

/** Chunks in flight: enough to fill a link with high latency, and little memory. */
const MAX_ON_THE_WAY = 8;

/** A file that a host sends. */
interface FetchedFile {
  /** There, absolute. */
  readonly path: string;
  /** When it was opened. */
  readonly bytes: number;
  readonly mode: number;
  /** Throws at the end if the SHA-256 is not that of the file there. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface HostFiles {
  /** The file appears at the path only when it is complete. A file that is there is replaced. */
  send(offer: FileOffer, content: AsyncIterable<Uint8Array>): Promise<CopiedFile>;
  fetch(path: string): Promise<FetchedFile>;
}

export function hostFiles(link: HostLink): HostFiles {
  return {
    send: async (offer, content) => {
      const { upload } = (await link.call("files.begin", offer)) as { readonly upload: string };
      try {
        const sha256 = await sendChunks(link, upload, content);
        return (await link.call("files.end", { upload, sha256 })) as CopiedFile;
      } catch (error) {
        // When the link is lost, the host discards the upload by itself.
        if (!isLost(error)) await link.call("files.abort", { upload }).catch(() => undefined);
        throw error;
      }
    },
    fetch: async (path) => {
      const parts = link.stream("files.fetch", { path }, undefined) as AsyncGenerator<FilePart>;
      const first = (await parts.next()).value;
      if (first?.kind !== "file") throw damaged(path);
      return { path: first.path, bytes: first.bytes, mode: first.mode, content: contentOf(parts, first.path) };
    },
  };
}

/** The SHA-256 of all of it. */
async function sendChunks(link: HostLink, upload: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = await newHash();
  const onTheWay: Promise<unknown>[] = [];
  for await (const piece of content) {
    for (let from = 0; from < piece.length; from += FILE_CHUNK_BYTES) {
      const data = piece.subarray(from, from + FILE_CHUNK_BYTES);
      hash.update(data);
      const sent = link.call("files.chunk", { upload, data });
      // The errors are handled below, where the chunks are awaited in order.
      sent.catch(() => undefined);
      onTheWay.push(sent);
      if (onTheWay.length >= MAX_ON_THE_WAY) await onTheWay.shift();
    }
  }
  await Promise.all(onTheWay);
  return hash.digest("hex");
}

async function* contentOf(parts: AsyncGenerator<FilePart>, path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = await newHash();
  for await (const part of parts) {
    if (part.kind === "chunk") {
      hash.update(part.data);
      yield part.data;
    } else if (part.kind === "end") {
      if (part.sha256 === hash.digest("hex")) return;
      throw damaged(path);
    }
  }
  throw damaged(path);
}

/** Loaded with the first file: an MCP server must answer soon after its start. */
async function newHash(): Promise<Hash> {
  const { createHash } = await import("node:crypto");
  return createHash("sha256");
}

function isLost(error: unknown): boolean {
  return error instanceof LimpetError && (error.code === "LINK_LOST" || error.code === "HOST_GONE");
}

function damaged(path: string): LimpetError {
  return new LimpetError("FILE_FAILED", `${path} arrived damaged or cut short. Copy it again.`);
}
