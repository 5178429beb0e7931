/**
 * Appends acts to the chain on disk. Several processes may write to the same chain: each takes the lock for one batch,
 * and continues after whatever is the last line then.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  type Stats,
  statSync,
  write,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { LimpetError } from "../../base/limpet-error.ts";
import { type FileLock, takeFileLock } from "../../linux/file-lock.ts";
import type { AuditAct } from "./audit.ts";
import { CHAIN_START, type ChainEnd, type ChainNote, endAfter, nextLine } from "./audit-chain.ts";
import { auditFile, auditLock, rotateFiles } from "./audit-files.ts";
import { readChainTail } from "./chain-tail.ts";

const LOCK_EVERY_MS = 2;
/** A writer holds the lock for milliseconds. */
const LOCK_PATIENCE_MS = 2_000;

const writeBytes = promisify(write);
const syncData = promisify(fdatasync);

/** An act and when it happened. */
export interface TimedAct {
  readonly time: string;
  readonly act: AuditAct | ChainNote;
}

export interface WriterOptions {
  readonly directory: string;
  /** A larger file is rotated. */
  readonly maxBytes: number;
}

export class AuditWriter {
  readonly #options: WriterOptions;
  #fd: number | undefined;
  /** The size of the file after our last write: if it differs, another process has written. */
  #size = -1;
  #end: ChainEnd = CHAIN_START;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** The last line that this process has written or continued after. */
  get end(): ChainEnd {
    return this.#end;
  }

  /** Appends all of the lines or none. `isSynced`: they survive a loss of power. */
  async append(acts: readonly TimedAct[], { isSynced }: { readonly isSynced: boolean }): Promise<void> {
    const lock = await this.#lock();
    try {
      const { fd, size } = this.#open();
      const start = size === this.#size ? { text: "", end: this.#end } : this.#catchUp();
      const { text, end } = linesAfter(start.end, acts);
      const bytes = Buffer.from(start.text + text);
      await writeAll(fd, bytes, size);
      this.#size = size + bytes.length;
      this.#end = end;
      if (isSynced) await syncData(fd);
    } catch (error) {
      // The next write first reads what is on disk.
      this.#size = -1;
      throw error;
    } finally {
      lock.release();
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#size = -1;
  }

  async #lock(): Promise<FileLock> {
    const deadlineMs = performance.now() + LOCK_PATIENCE_MS;
    for (;;) {
      const lock = takeFileLock(auditLock(this.#options.directory));
      if (lock) return lock;
      if (performance.now() >= deadlineMs) throw locked(this.#options.directory);
      await sleep(LOCK_EVERY_MS);
    }
  }

  /** Another process may have rotated the file, and anybody may have removed it. */
  #open(): { readonly fd: number; readonly size: number } {
    const { directory, maxBytes } = this.#options;
    const path = auditFile(directory);
    const named = statSync(path, { throwIfNoEntry: false });
    const isFull = named !== undefined && named.size >= maxBytes;
    if (this.#fd !== undefined && (isFull || !isSame(fstatSync(this.#fd), named))) this.close();
    if (isFull) rotateFiles(directory);
    this.#fd ??= openLog(path);
    const { size } = fstatSync(this.#fd);
    return { fd: this.#fd, size };
  }

  /** What to write first, so that the chain continues after lines of other processes and reports an incomplete line. */
  #catchUp(): Lines {
    const { end: found, tornBytes, isOpen } = readChainTail(this.#options.directory);
    // If our lines were removed, the chain continues after their numbers, so that a check finds the gap.
    const end = found.number >= this.#end.number ? found : this.#end;
    const opening = isOpen ? "\n" : "";
    if (tornBytes === 0) return { text: opening, end };
    const time = new Date().toISOString();
    const reported = linesAfter(end, [{ time, act: { event: "torn", bytes: tornBytes } }]);
    return { ...reported, text: opening + reported.text };
  }
}

/** Lines of a chain, and where it ends after them. */
interface Lines {
  readonly text: string;
  readonly end: ChainEnd;
}

function linesAfter(start: ChainEnd, acts: readonly TimedAct[]): Lines {
  let text = "";
  let end = start;
  for (const { act, time } of acts) {
    const line = nextLine(end, act, { time, pid: process.pid });
    end = endAfter(end, line);
    text += `${line}\n`;
  }
  return { text, end };
}

async function writeAll(fd: number, bytes: Buffer, size: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; ) {
      done += (await writeBytes(fd, bytes, done, bytes.length - done)).bytesWritten;
    }
  } catch (error) {
    removeRest(fd, size);
    throw error;
  }
}

/**
 * A full disk may have accepted a part of the lines. If it cannot be removed, the next writer reports an incomplete
 * line.
 */
function removeRest(fd: number, size: number): void {
  try {
    ftruncateSync(fd, size);
  } catch {
    // The next writer reports it.
  }
}

function openLog(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  fchmodSync(fd, 0o600);
  return fd;
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}

function locked(directory: string): LimpetError {
  return new LimpetError(
    "AUDIT_UNAVAILABLE",
    `Another process holds ${auditLock(directory)}. End it, or set another LIMPET_HOME.`,
  );
}
