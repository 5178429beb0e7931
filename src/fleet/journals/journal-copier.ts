/**
 * Copies the output of sessions to NATS, so that it can be read when their host is gone. Each full segment is copied
 * once, and the last segment again while it grows. If NATS loses the copies, everything is copied again.
 */
import type { JournalSource } from "../../host/further-listener.ts";
import type { Bus } from "../nats/bus.ts";
import { Rounds } from "../nats/rounds.ts";
import { encodeCopyRecord } from "./copy-record.ts";
import type { JournalKey } from "./journal-key.ts";
import { isStored, openJournalStream } from "./journal-stream.ts";
import { JOURNAL_STREAM, metaSubject, SEGMENT_BYTES, SLOTS, segmentStart, segmentSubject } from "./segment.ts";

export interface JournalCopierOptions {
  readonly host: string;
  readonly epoch: number;
  readonly key: JournalKey;
  readonly sources: () => readonly JournalSource[];
  /** Which sessions are copied if their start does not say so: all, or none (`asked`). */
  readonly copies: "all" | "asked";
  readonly onProblem: (text: string) => void;
  /** How often new output is copied. */
  readonly everyMs: number;
  /** The most that NATS stores for the whole fleet. The oldest copies are deleted first. Default: 10 GiB. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 10 * 1024 ** 3;
/** Segments in one round. The connection has other users. */
const MAX_ROUND = 64;
const ACK_MS = 5_000;

interface Copied {
  /** The end of the copied output. */
  readonly to: number;
  readonly hasExit: boolean;
}

interface Segment {
  readonly data: Uint8Array;
  /** The cursor after its last byte. */
  readonly end: number;
}

export class JournalCopier {
  readonly #bus: Bus;
  readonly #options: JournalCopierOptions;
  readonly #rounds: Rounds;
  #copied = new Map<number, Copied>();
  /** Whether the stream is known to exist. */
  #isOpen = false;

  constructor(bus: Bus, options: JournalCopierOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#rounds = new Rounds(bus, {
      what: "fleet: journals",
      everyMs: options.everyMs,
      work: () => this.#copyAll(),
      startOver: () => {
        this.#isOpen = false;
      },
      onProblem: options.onProblem,
    });
  }

  /** Copies new output. Never rejects. */
  async copy(): Promise<void> {
    await this.#rounds.run();
  }

  /** Copies new output once more. */
  async close(): Promise<void> {
    this.#rounds.stop();
    await this.#rounds.runAfresh();
    await this.#rounds.close();
  }

  async #copyAll(): Promise<void> {
    if (!this.#isOpen) {
      const opened = await openJournalStream(this.#bus, this.#options.maxBytes ?? MAX_BYTES);
      if (opened === "created") this.#copied = new Map();
      this.#isOpen = true;
    }
    const { copies, sources: allSources } = this.#options;
    const sources = allSources().filter(({ isCopied = copies === "all" }) => isCopied);
    const known = new Set(sources.map(({ id }) => id));
    this.#copied = new Map([...this.#copied].filter(([id]) => known.has(id)));
    let left = MAX_ROUND;
    for (const source of sources) {
      if (left <= 0) return;
      left -= await this.#copyOne(source, left);
    }
  }

  /** Returns how many segments it copied. */
  async #copyOne(source: JournalSource, most: number): Promise<number> {
    const { id, name, program, exit, outputBytes } = source;
    const before = this.#copied.get(id);
    const hasExit = exit !== null;
    if (before && before.to >= outputBytes && before.hasExit === hasExit) return 0;
    // Older output is skipped: the ring cannot hold it.
    const oldest = segmentStart(Math.max(0, outputBytes - SLOTS * SEGMENT_BYTES) + SEGMENT_BYTES - 1);
    let cursor = Math.max(segmentStart(before?.to ?? 0), oldest);
    let [to, count] = [before?.to ?? 0, 0];
    while (cursor < outputBytes && count < most) {
      const end = Math.min(cursor + SEGMENT_BYTES, outputBytes);
      const segment = await this.#segment(source, cursor, end);
      // The last bytes cannot be read while they may be the beginning of a secret.
      if (segment.end <= to) break;
      await this.#store(segmentSubject(this.#named(id), cursor), segment.data);
      [to, cursor, count] = [segment.end, segment.end, count + 1];
      if (segment.end % SEGMENT_BYTES !== 0) break;
    }
    const record = { name, program, exit, outputBytes, copiedBytes: to, atMs: Date.now() };
    await this.#store(metaSubject(this.#named(id)), encodeCopyRecord(record));
    this.#copied.set(id, { to, hasExit: hasExit && to >= outputBytes });
    return count + 1;
  }

  /**
   * Encodes a segment: the cursor of its first byte, then its bytes. If the host has dropped output, the segment starts
   * after it.
   */
  async #segment(source: JournalSource, start: number, end: number): Promise<Segment> {
    const parts: Uint8Array[] = [];
    let [from, cursor] = [start, start];
    while (cursor < end) {
      const page = await source.read({ from: cursor, maxBytes: end - cursor });
      if (page.next <= cursor) break;
      // The bytes of a segment must be contiguous. After dropped output, only the bytes that follow it are kept.
      if (page.from > cursor) {
        parts.length = 0;
        from = Math.min(page.from, end);
      }
      parts.push(page.bytes.subarray(0, Math.max(0, end - page.from)));
      cursor = page.next;
    }
    const header = Buffer.alloc(8);
    header.writeBigUInt64BE(BigInt(from));
    return { data: Buffer.concat([header, ...parts]), end: Math.min(cursor, end) };
  }

  async #store(subject: string, data: Uint8Array): Promise<void> {
    const sealed = await this.#options.key.seal(subject, data);
    const answer = await this.#bus.request(subject, sealed, { timeoutMs: ACK_MS });
    if (isStored(answer)) return;
    throw new Error(`NATS at ${this.#bus.server} did not store a copy in ${JOURNAL_STREAM}`);
  }

  #named(id: number) {
    const { host, epoch } = this.#options;
    return { host, epoch, id };
  }
}
