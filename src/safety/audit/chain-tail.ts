/** Finds where a chain ends on disk, and what a killed writer left after its last line. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { CHAIN_START, type ChainEnd, hashOf, parseLine } from "./audit-chain.ts";
import { auditFiles } from "./audit-files.ts";

/** Longer than any line: see `MAX_COMMAND_CHARS` in `audit-log.ts`. */
const TAIL_BYTES = 256 * 1024;

export interface ChainTail {
  readonly end: ChainEnd;
  /** Bytes of incomplete lines after the last line, without line feeds. */
  readonly tornBytes: number;
  /** The last of them has no line feed yet. */
  readonly isOpen: boolean;
}

/** Call this only while no other process writes. */
export function readChainTail(directory: string): ChainTail {
  for (const file of [...auditFiles(directory)].reverse()) {
    const tail = tailOf(readEnd(file));
    if (tail) return tail;
  }
  return { end: CHAIN_START, tornBytes: 0, isOpen: false };
}

/** Pure. Undefined if the text is empty: then the chain ends in an older file. */
function tailOf(text: string): ChainTail | undefined {
  if (text === "") return undefined;
  const isOpen = !text.endsWith("\n");
  const lines = (isOpen ? text : text.slice(0, -1)).split("\n");
  let tornBytes = 0;
  for (const line of lines.reverse()) {
    const parsed = parseLine(line);
    if (parsed) return { end: { number: parsed.n, hash: hashOf(line) }, tornBytes, isOpen };
    tornBytes += Buffer.byteLength(line);
  }
  return { end: CHAIN_START, tornBytes, isOpen };
}

function readEnd(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const count = readSync(fd, bytes, 0, bytes.length, Math.max(0, size - TAIL_BYTES));
    return bytes.toString("utf8", 0, count);
  } finally {
    closeSync(fd);
  }
}
