/**
 * Copies a file to or from a place. The file is written to a temporary file, checked by its SHA-256, and then renamed.
 */
import { basename, resolve } from "node:path";
import type { HostFiles } from "../../host/client/host-files.ts";
import type { CopiedFile, FilePart } from "../../host/files/file-parts.ts";
import { ReceivedFile } from "../../host/files/received-file.ts";
import { sentFile } from "../../host/files/sent-file.ts";

/** The permissions of a file that comes from a stream, as a shell would set them. */
const STREAM_MODE = 0o644;

/** Called after each piece. `of`: the size of the file; undefined if it is unknown. */
export type OnProgress = (bytes: number, of: number | undefined) => void;

interface CopyOptions {
  readonly onProgress?: OnProgress | undefined;
}

/** `to`: relative to the home directory there. Empty: the home directory itself. An existing file is replaced. */
export async function putFile(
  files: HostFiles,
  { from, to }: { readonly from: string | AsyncIterable<Uint8Array>; readonly to: string },
  { onProgress }: CopyOptions = {},
): Promise<CopiedFile> {
  const path = to === "" ? "~/" : to;
  if (typeof from !== "string")
    return await files.send({ path, name: "", mode: STREAM_MODE }, counted(from, undefined, onProgress));
  const parts = sentFile(resolve(from));
  try {
    const file = (await parts.next()).value as Extract<FilePart, { kind: "file" }>;
    const offer = { path, name: basename(file.path), mode: file.mode };
    return await files.send(offer, counted(chunksOf(parts), file.bytes, onProgress));
  } finally {
    await parts.return();
  }
}

/** `to`: a file or a directory here. An existing file is replaced. */
export async function getFile(
  files: HostFiles,
  { from, to }: { readonly from: string; readonly to: string },
  { onProgress }: CopyOptions = {},
): Promise<CopiedFile> {
  const { path, bytes, mode, content } = await files.fetch(from);
  const slash = /(^|\/)\.{0,2}$/.test(to) ? "/" : "";
  const file = await ReceivedFile.begin({ path: resolve(to) + slash, name: basename(path), mode });
  try {
    for await (const piece of counted(content, bytes, onProgress)) await file.write(piece);
  } catch (error) {
    await file.discard();
    throw error;
  }
  return await file.end();
}

async function* chunksOf(parts: AsyncIterable<FilePart>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const part of parts) if (part.kind === "chunk") yield part.data;
}

export async function* counted(
  content: AsyncIterable<Uint8Array>,
  of: number | undefined,
  onProgress: OnProgress | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const piece of content) {
    yield piece;
    bytes += piece.length;
    onProgress?.(bytes, of);
  }
}
