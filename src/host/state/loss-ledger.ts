/**
 * What the journals of sessions have lost, for the next host: output that did not fit on a full disk leaves no trace
 * there, and a host that is killed cannot report it.
 *
 * The file has its whole size from the start, and each session has one place of fixed size in it. So a loss can be
 * written even when the disk is full.
 */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { withTimeout } from "../../base/async/with-timeout.ts";
import type { Cursor } from "../../base/cursor.ts";
import type { JournalHealth } from "../../journal/disk/journal-health.ts";

const PLACES = 64;
const PLACE_BYTES = 256;
/** Longer reasons are cut, so that every entry fits its place. */
const MAX_REASON_CHARS = 40;
/** A disk that hangs does not keep a host from ending. */
const CLOSE_MS = 1_000;

export interface Loss {
  readonly health: JournalHealth & { readonly kind: "degraded" };
  /** Where the last lost piece ends. */
  readonly end: Cursor;
}

interface Entry extends Loss {
  readonly name: string;
}

const whole = z.int().min(0);
const schema = z.object({
  name: z.string().regex(/^\d+-[0-9a-f]{8}$/),
  health: z.object({ kind: z.literal("degraded"), lostBytes: whole, atCursor: whole, reason: z.string() }),
  end: whole,
});

export class LossLedger {
  readonly #file: FileHandle | undefined;
  /** By place. The oldest place is used again when all are taken. */
  readonly #entries: (Entry | undefined)[];
  #next = 0;
  readonly #unwritten = new Set<number>();
  #writing: Promise<void> | undefined;

  private constructor(file: FileHandle | undefined, entries: readonly (Entry | undefined)[]) {
    this.#file = file;
    this.#entries = Array.from({ length: PLACES }, (_, place) => entries[place]);
  }

  /** Keeps the entries of the sessions in `directories`. If the disk has no room for its file, nothing is stored. */
  static async open(path: string, directories: readonly string[]): Promise<LossLedger> {
    const names = new Set(directories.map((directory) => basename(directory)));
    const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
    const file = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600).catch(() => undefined);
    const text = (await file?.readFile("utf8").catch(() => "")) ?? "";
    const entries = parsePlaces(text).map((entry) => (entry && names.has(entry.name) ? entry : undefined));
    const ledger = new LossLedger(file, entries);
    await file?.write(ledger.#entries.map(textOf).join(""), 0, "latin1").catch(() => undefined);
    return ledger;
  }

  of(directory: string): Loss | undefined {
    return this.#entries.find((entry) => entry?.name === basename(directory));
  }

  note(directory: string, { health, end }: Loss): void {
    const name = basename(directory);
    const place = this.#placeOf(name);
    this.#entries[place] = { name, health: { ...health, reason: health.reason.slice(0, MAX_REASON_CHARS) }, end };
    this.#unwritten.add(place);
    void this.#startWriting();
  }

  async close(): Promise<void> {
    await withTimeout(CLOSE_MS, this.#startWriting());
    await this.#file?.close().catch(() => undefined);
  }

  #placeOf(name: string): number {
    const known = this.#entries.findIndex((entry) => entry?.name === name);
    if (known >= 0) return known;
    const free = this.#entries.indexOf(undefined);
    if (free >= 0) return free;
    this.#next = (this.#next + 1) % PLACES;
    return this.#next;
  }

  /** One write at a time: the disk may hang. */
  #startWriting(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    for (const place of this.#unwritten) {
      this.#unwritten.delete(place);
      await this.#file?.write(textOf(this.#entries[place]), place * PLACE_BYTES, "latin1").catch(() => undefined);
    }
  }
}

function textOf(entry: Entry | undefined): string {
  return `${(entry ? JSON.stringify(entry) : "").slice(0, PLACE_BYTES - 1).padEnd(PLACE_BYTES - 1)}\n`;
}

/** Pure. A place that a crash or the disk has damaged counts as empty. */
export function parsePlaces(text: string): (Entry | undefined)[] {
  return text.split("\n").slice(0, PLACES).map(parseEntry);
}

function parseEntry(line: string): Entry | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
