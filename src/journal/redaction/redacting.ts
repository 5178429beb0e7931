/**
 * Redacts output before it reaches the journal, so that memory and disk contain only a mask of a secret.
 *
 * Output that may be the beginning of a secret is counted at once, but neither read nor written to disk until its rest
 * shows what it is, or until a short time has passed. After that, the known part of a secret is masked if it reveals
 * too much, and the rest is masked when it arrives.
 */

import { type Deferred, deferred } from "../../base/async/deferred.ts";
import type { Cursor } from "../../base/cursor.ts";
import { HOLD_BACK_MS } from "../../base/limits.ts";
import type { Origin } from "../../transport/transport.ts";
import type { DiskJournal } from "../disk/disk-journal.ts";
import type { Journal } from "../journal.ts";
import { maskBytes, type Redaction, type Redactor } from "./redaction.ts";

interface RedactedParts {
  readonly journal: Journal;
  readonly disk: DiskJournal | undefined;
  /** Called when output that was held back can be read. */
  readonly onSettled: () => void;
}

/** Output that is not on disk yet. */
interface Held {
  readonly cursor: Cursor;
  readonly bytes: Uint8Array;
  readonly origin: Origin;
}

const PAGE_BYTES = 64 * 1024;

export class Redacting {
  readonly #redaction: Redaction;
  readonly #parts: RedactedParts;
  readonly #redactors = new Map<Origin, Redactor>();
  #version = 0;
  #held: Held[] = [];
  #openFrom: Cursor | undefined;
  /** Output before this is not held back again. */
  #settledTo: Cursor = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The end of the output when the timer was started. */
  #timedTo: Cursor = 0;
  #readable: Deferred<void> | undefined;

  constructor(redaction: Redaction, parts: RedactedParts) {
    this.#redaction = redaction;
    this.#parts = parts;
  }

  get isNeeded(): boolean {
    return this.#redaction.version > 0;
  }

  /** Output from here on is held back; undefined if none is. */
  get openFrom(): Cursor | undefined {
    return this.#openFrom;
  }

  append(bytes: Uint8Array, origin: Origin): void {
    this.refresh();
    const { journal } = this.#parts;
    const cursor = journal.end;
    journal.append(bytes, origin);
    // Copied, because the bytes are only valid during the call.
    this.#held.push({ cursor, bytes: Uint8Array.from(bytes), origin });
    this.#redactorOf(origin).push(bytes, cursor, this.#mask);
    this.#update();
  }

  /** Redacts, in memory, secrets that have become known since. */
  refresh(): void {
    const { version } = this.#redaction;
    if (version === this.#version) return;
    this.#version = version;
    this.#redactors.clear();
    const { journal } = this.#parts;
    let redactor = this.#redactorOf("terminal");
    for (let cursor = 0; cursor < journal.end; ) {
      const page = journal.read(cursor, PAGE_BYTES);
      if (page.dropped > 0) redactor = this.#redaction.redactor();
      redactor.push(page.bytes, page.from, this.#mask);
      cursor = page.next;
    }
    this.#redactors.set("terminal", redactor);
    // Readers have already seen this output, so it is not held back.
    this.#settledTo = this.#openFrom ?? journal.end;
  }

  /** Resolves when output at `from` is not held back. */
  async untilReadable(from: Cursor): Promise<void> {
    while (this.#openFrom !== undefined && from >= this.#openFrom) {
      this.#readable ??= deferred<void>();
      await this.#readable.promise;
    }
  }

  /** No output is held back from now on. */
  settle(): void {
    if (this.#openFrom === undefined) return;
    for (const redactor of this.#redactors.values()) redactor.settle(this.#mask);
    this.#settledTo = this.#parts.journal.end;
    this.#update();
    this.#parts.onSettled();
  }

  readonly #mask = (from: Cursor, to: Cursor): void => {
    this.#parts.journal.mask(from, to);
    for (const { cursor, bytes } of this.#held) maskBytes(bytes, from - cursor, to - cursor);
  };

  #update(): void {
    const { end } = this.#parts.journal;
    let first: Cursor = end;
    for (const { openFrom = end } of this.#redactors.values()) first = Math.min(first, openFrom);
    first = Math.max(this.#settledTo, first);
    const before = this.#openFrom;
    this.#openFrom = first < end ? first : undefined;
    this.#write(first);
    this.#schedule(end);
    if (before === undefined || this.#openFrom === before) return;
    this.#readable?.resolve();
    this.#readable = undefined;
  }

  #schedule(end: Cursor): void {
    const isNew = this.#openFrom !== undefined && (this.#timer === undefined || this.#openFrom >= this.#timedTo);
    if (this.#openFrom === undefined || isNew) clearTimeout(this.#timer);
    if (this.#openFrom === undefined) this.#timer = undefined;
    if (!isNew) return;
    this.#timedTo = end;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.settle();
    }, HOLD_BACK_MS);
  }

  /** Writes what is held before `to` to the disk. */
  #write(to: Cursor): void {
    const kept: Held[] = [];
    for (const { cursor, bytes, origin } of this.#held) {
      const count = Math.min(bytes.length, Math.max(0, to - cursor));
      if (count > 0) this.#parts.disk?.append(cursor, bytes.subarray(0, count), origin);
      if (count < bytes.length) kept.push({ cursor: cursor + count, bytes: bytes.subarray(count), origin });
    }
    this.#held = kept;
  }

  #redactorOf(origin: Origin): Redactor {
    const known = this.#redactors.get(origin) ?? this.#redaction.redactor();
    this.#redactors.set(origin, known);
    return known;
  }
}
