/** Reads an audit from its files, oldest line first, also while it is written and rotated. */
import { closeSync, constants, fstatSync, openSync, read } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { auditFiles } from "./audit-files.ts";
import type { LinePlace } from "./chain-verifier.ts";

const PART_BYTES = 256 * 1024;
const FOLLOW_EVERY_MS = 200;
const LINE_FEED = 0x0a;

const readBytes = promisify(read);

export interface RawLine {
  readonly text: string;
  readonly place: LinePlace;
  /** It has no line feed: its writer was killed, or writes it now. */
  readonly isOpen: boolean;
}

interface ReadOptions {
  readonly follow?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** How far a file has been read. Files are known by their inode, because they are renamed. */
interface Position {
  offset: number;
  line: number;
}

export async function* readAudit(directory: string, options: ReadOptions = {}): AsyncGenerator<RawLine, void> {
  const { follow = false, signal } = options;
  const positions = new Map<number, Position>();
  for (;;) {
    // All at once, before one of them is renamed.
    const files = auditFiles(directory).flatMap(openFile);
    for (const { fd, name } of files) {
      try {
        const { ino } = fstatSync(fd);
        const position = positions.get(ino) ?? { offset: 0, line: 0 };
        positions.set(ino, position);
        for await (const line of linesFrom(fd, position)) {
          if (line.isOpen && follow) break;
          yield { ...line, place: { file: name, line: position.line } };
        }
      } finally {
        closeSync(fd);
      }
    }
    if (!follow || signal?.aborted) return;
    await sleep(FOLLOW_EVERY_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}

async function* linesFrom(fd: number, position: Position): AsyncGenerator<Omit<RawLine, "place">, void> {
  const buffer = Buffer.alloc(PART_BYTES);
  let held: Buffer = Buffer.alloc(0);
  for (let at = position.offset; ; ) {
    const { bytesRead } = await readBytes(fd, buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    held = Buffer.concat([held, buffer.subarray(0, bytesRead)]);
    let from = 0;
    for (let end = held.indexOf(LINE_FEED); end >= 0; end = held.indexOf(LINE_FEED, from)) {
      const text = held.toString("utf8", from, end);
      position.offset += end + 1 - from;
      position.line += 1;
      from = end + 1;
      yield { text, isOpen: false };
    }
    held = held.subarray(from);
  }
  if (held.length === 0) return;
  position.line += 1;
  yield { text: held.toString("utf8"), isOpen: true };
  position.line -= 1;
}

/** Empty if the file does not exist: a rotation may have just renamed it. */
function openFile(path: string): { readonly fd: number; readonly name: string }[] {
  try {
    return [{ fd: openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW), name: basename(path) }];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
