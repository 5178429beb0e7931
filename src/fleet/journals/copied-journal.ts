/** Reads the copies of sessions whose host is gone. */
import type { Page } from "../../base/cursor.ts";
import type { Bus } from "../nats/bus.ts";
import { type CopyRecord, readCopyRecord } from "./copy-record.ts";
import type { JournalKey } from "./journal-key.ts";
import { copiedSubjects, copyAt } from "./journal-stream.ts";
import {
  type CopiedSession,
  metaSubject,
  metaSubjectsOf,
  SEGMENT_BYTES,
  SLOTS,
  segmentStart,
  segmentSubject,
  sessionOfMeta,
} from "./segment.ts";

/** The sessions of a host that have copies, of all its epochs. */
export async function copiedSessions(bus: Bus, host: string): Promise<readonly CopiedSession[]> {
  const subjects = await copiedSubjects(bus, metaSubjectsOf(host));
  return subjects
    .map(sessionOfMeta)
    .filter((session) => session !== undefined)
    .sort((one, other) => one.epoch - other.epoch || one.id - other.id);
}

export class CopiedJournal {
  readonly #bus: Bus;
  readonly #key: JournalKey;
  readonly #session: CopiedSession;
  readonly record: CopyRecord;

  private constructor(bus: Bus, key: JournalKey, of: { readonly session: CopiedSession; readonly record: CopyRecord }) {
    this.#bus = bus;
    this.#key = key;
    this.#session = of.session;
    this.record = of.record;
  }

  /** Undefined if there is no copy, or if this key cannot decrypt it. */
  static async open(bus: Bus, key: JournalKey, session: CopiedSession): Promise<CopiedJournal | undefined> {
    const subject = metaSubject(session);
    // Asks for the subjects first: without a stream, NATS answers that at once, but does not answer a request for a
    // message.
    const [found] = await copiedSubjects(bus, subject);
    const sealed = found && (await copyAt(bus, subject));
    const data = sealed ? await key.open(subject, sealed) : undefined;
    const record = data && readCopyRecord(data);
    return record && new CopiedJournal(bus, key, { session, record });
  }

  /** The cursor of the first byte that the ring of segments can still hold. */
  get keptFrom(): number {
    const { copiedBytes } = this.record;
    return segmentStart(Math.max(0, copiedBytes - SLOTS * SEGMENT_BYTES) + SEGMENT_BYTES - 1);
  }

  /**
   * Reads one page of at most one segment. `dropped` counts bytes that were not kept. At the end of the copy, `next`
   * equals `from`.
   */
  async read(from: number): Promise<Page> {
    const { copiedBytes } = this.record;
    let cursor = Math.max(from, this.keptFrom);
    while (cursor < copiedBytes) {
      const found = await this.#segment(cursor);
      if (found) return { ...found, dropped: found.from - from };
      cursor = segmentStart(cursor) + SEGMENT_BYTES;
    }
    const end = Math.max(from, copiedBytes);
    return { bytes: new Uint8Array(0), from: end, next: end, dropped: end - from };
  }

  /** The part of a segment from this byte on; undefined if the copy does not have it. */
  async #segment(cursor: number): Promise<Omit<Page, "dropped"> | undefined> {
    const subject = segmentSubject(this.#session, cursor);
    const sealed = await copyAt(this.#bus, subject);
    const data = sealed && (await this.#key.open(subject, sealed));
    if (!data || data.length < 8) return undefined;
    const start = Number(data.readBigUInt64BE());
    // The slot holds a segment of another round of the ring.
    if (segmentStart(start) !== segmentStart(cursor)) return undefined;
    const first = Math.max(start, cursor);
    const bytes = data.subarray(8 + first - start);
    return bytes.length === 0 ? undefined : { bytes, from: first, next: first + bytes.length };
  }
}
