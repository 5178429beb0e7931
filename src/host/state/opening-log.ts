/**
 * What is known about sessions whose record is not on disk yet: lines in one file that already exists. The start of a
 * program waits for its line, and creating a file would take a hundred times as long as appending to one.
 */
import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { FORM, parseRecord } from "./parse-record.ts";
import { type FoundRecord, makeRecord, pathOfRecord, type SessionRecord } from "./session-record.ts";

/** Enough for some thousand sessions that start at once. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Beyond this, lines of settled sessions are removed. Programs that are always starting never leave the log empty. */
const COMPACT_BYTES = 256 * 1024;

type Entry =
  | { readonly directory: string; readonly record: SessionRecord }
  /** Its record is on disk, or it was never started. */
  | { readonly settled: string };

export class OpeningLog {
  readonly #path: string;
  #fd: number;
  /** The last line of each session that is not settled, by its directory. */
  readonly #open = new Map<string, string>();
  #bytes = 0;
  #compactAt = COMPACT_BYTES;

  /** Empties the file, so call `recoverOpenings` first. */
  constructor(path: string) {
    this.#path = path;
    this.#fd = openEmpty(path);
  }

  /**
   * Noting a session again replaces its entry. False if the entry cannot be written: then the session needs a record at
   * once.
   */
  note(directory: string, record: SessionRecord): boolean {
    const line = lineOf({ directory, record });
    if (this.#bytes > MAX_BYTES || !this.#write(line)) return false;
    this.#open.set(directory, line);
    return true;
  }

  /** Noted, and not settled. */
  has(directory: string): boolean {
    return this.#open.has(directory);
  }

  settle(directory: string): void {
    if (!this.#open.delete(directory)) return;
    if (this.#open.size === 0) {
      ftruncateSync(this.#fd);
      this.#bytes = 0;
      this.#compactAt = COMPACT_BYTES;
    } else if (this.#bytes > this.#compactAt) this.#compact();
    else this.#write(lineOf({ settled: directory }));
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** A crash leaves the old file or the new one. */
  #compact(): void {
    const text = [...this.#open.values()].join("");
    try {
      const fd = openEmpty(`${this.#path}.new`);
      try {
        writeSync(fd, text);
        renameSync(`${this.#path}.new`, this.#path);
      } catch (error) {
        closeSync(fd);
        throw error;
      }
      closeSync(this.#fd);
      this.#fd = fd;
      this.#bytes = Buffer.byteLength(text);
    } catch {
      // The disk is full. The old file holds the same sessions, and more.
    }
    // Not again before much has been added.
    this.#compactAt = 2 * this.#bytes + COMPACT_BYTES;
  }

  #write(line: string): boolean {
    try {
      this.#bytes += writeSync(this.#fd, line);
      return true;
    } catch {
      // A full disk.
      return false;
    }
  }
}

function openEmpty(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
}

function lineOf(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Writes the records that the previous host had no time to write. Returns those that still cannot be written. */
export function recoverOpenings(path: string): FoundRecord[] {
  const noted = new Map<string, SessionRecord>();
  for (const entry of readEntries(path)) {
    if ("settled" in entry) noted.delete(entry.settled);
    else noted.set(entry.directory, entry.record);
  }
  const sessions = join(dirname(path), "sessions");
  const inside = [...noted].filter(([directory]) => dirname(directory) === sessions);
  const found = inside.flatMap(([directory, record]) => checked(directory, record));
  return found.filter((each) => !existsSync(pathOfRecord(each.directory)) && !isWritten(each));
}

/** Empty if the entry is damaged. */
function checked(directory: string, record: SessionRecord): FoundRecord[] {
  const parsed = parseRecord(JSON.stringify({ form: FORM, ...record }), basename(directory));
  return parsed.kind === "record" ? [{ directory, record: parsed.record }] : [];
}

/** False on a full disk. */
function isWritten({ directory, record }: FoundRecord): boolean {
  try {
    makeRecord(directory, record);
    return true;
  } catch {
    return false;
  }
}

function* readEntries(path: string): Generator<Entry> {
  if (!existsSync(path)) return;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    try {
      const entry = JSON.parse(line) as Partial<Record<"directory" | "settled", unknown>> | null;
      if (typeof entry?.settled === "string" || typeof entry?.directory === "string") yield entry as Entry;
    } catch {
      // The last line of a host that was killed, or of a full disk.
    }
  }
}
