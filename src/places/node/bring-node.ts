/** Sends a Node of this machine to a place that has none: a single program, named by its SHA-256. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Writable } from "node:stream";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { LimpetError } from "../../base/limpet-error.ts";
import { type BareFacts, requireFittingNode } from "./judge-node.ts";
import { readElf } from "./read-elf.ts";

/** How much of the program has been sent. */
export interface NodeProgress {
  readonly place: string;
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export interface BringNode {
  /** Default: the Node that runs this process. */
  readonly file?: string | undefined;
  /** Compress the program. That takes seconds, which is not worth it for a link within this machine. */
  readonly compress: boolean;
  readonly onProgress?: ((progress: NodeProgress) => void) | undefined;
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Writes the order and the program. The place answers when it has checked the program. Rejects with `PLACE_NO_NODE`.
 */
export async function bringNode(stdin: Writable, place: string, bring: BringNode & BareFacts): Promise<void> {
  const { file = process.execPath, onProgress } = bring;
  const program = await readNode(file);
  requireFittingNode(bring, { place, file, elf: readElf(program) });
  const isPacked = bring.compress && bring.canUnpack;
  const data = isPacked ? await promisify(gzip)(program, { level: constants.Z_BEST_SPEED }) : program;
  const hash = createHash("sha256").update(program).digest("hex");
  stdin.write(`bring ${data.length} ${hash} ${isPacked ? "gzip" : "cat"}\n`);
  for (let at = 0; at < data.length; at += CHUNK_BYTES) {
    await written(stdin, data.subarray(at, at + CHUNK_BYTES));
    onProgress?.({ place, sentBytes: Math.min(at + CHUNK_BYTES, data.length), totalBytes: data.length });
  }
}

async function readNode(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new LimpetError(
      "BAD_OPTION",
      `bringNode is ${JSON.stringify(file)}, which cannot be read. Use the path of a Node program.`,
      { cause },
    );
  }
}

/** Resolves when the chunk has been accepted, or when the stream has ended. The place then reports why it ended. */
function written(stdin: Writable, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (stdin.destroyed || !stdin.writable) return resolve();
    stdin.once("close", resolve);
    stdin.write(chunk, () => {
      stdin.off("close", resolve);
      resolve();
    });
  });
}
