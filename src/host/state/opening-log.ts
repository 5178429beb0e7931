/**
 * What is known about sessions whose record is not on disk yet: lines in one file that already exists. The start of a
 * program waits for its line, and creating a file would take a hundred times as long as appending to one.
 */
import { closeSync, constants, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FORM, parseRecord } from "./parse-record.ts";
import { type FoundRecord, makeRecord, pathOfRecord, type SessionRecord } from "./session-record.ts";

/** Enough for some thousand sessions that start at once. */
const MAX_BYTES = 4 * 1024 * 1024;

type Entry =
  | { readonly directory: string; readonly record: SessionRecord }
  /** Its record is on disk, or it was never started. */
  | { readonly settled: string };

export class OpeningLog {
  readonly #fd: number;
  readonly #open = new Set<string>();
  #bytes = 0;

  /** Empties the file, so call `recoverOpenings` first. */
  constructor(path: string) {
    const { O_WRONLY, O_APPEND, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    this.#fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  }

  /**
   * Noting a session again replaces its entry. False if the entry cannot be written: then the session needs a record at
   * once.
   */
  note(directory: string, record: SessionRecord): boolean {
    if (this.#bytes > MAX_BYTES || !this.#write({ directory, record })) return false;
    this.#open.add(directory);
    return true;
  }

  /** Noted, and not settled. */
  has(directory: string): boolean {
    return this.#open.has(directory);
  }

  settle(directory: string): void {
    if (!this.#open.delete(directory)) return;
    if (this.#open.size > 0) this.#write({ settled: directory });
    else {
      ftruncateSync(this.#fd);
      this.#bytes = 0;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(entry: Entry): boolean {
    try {
      this.#bytes += writeSync(this.#fd, `${JSON.stringify(entry)}\n`);
      return true;
    } catch {
      // A full disk.
      return false;
    }
  }
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
