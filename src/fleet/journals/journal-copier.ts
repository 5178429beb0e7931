/**
 * Copies the output of sessions to NATS, so that it can be read when their host is gone: each segment when it is full,
 * and the last one again while it grows. NATS may lose everything at any time; then all of it is copied again.
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
  /** Which sessions are copied if whoever started them has not decided. */
  readonly copies: "all" | "asked";
  readonly onProblem: (text: string) => void;
  /** How often what is new is copied, and the segment that grows is copied again. */
  readonly everyMs: number;
  /** The most that NATS stores for the whole fleet; the oldest goes first. Default: 10 GiB. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 10 * 1024 ** 3;
/** Segments in one round: others need the connection, too. */
const MAX_ROUND = 64;
const ACK_MS = 5_000;

interface Copied {
  /** The end of what was copied. */
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

  /** Copies what is new. Never rejects. */
  async copy(): Promise<void> {
    await this.#rounds.run();
  }

  /** Copies what is new once more. */
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
    // What the ring cannot hold would be replaced at once.
    const oldest = segmentStart(Math.max(0, outputBytes - SLOTS * SEGMENT_BYTES) + SEGMENT_BYTES - 1);
    let cursor = Math.max(segmentStart(before?.to ?? 0), oldest);
    let [to, count] = [before?.to ?? 0, 0];
    while (cursor < outputBytes && count < most) {
      const end = Math.min(cursor + SEGMENT_BYTES, outputBytes);
      const segment = await this.#segment(source, cursor, end);
      // The last bytes cannot be read yet while they may be the beginning of a secret.
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

  /** The cursor of its first byte, and its bytes. What the host itself has dropped is left out at the beginning. */
  async #segment(source: JournalSource, start: number, end: number): Promise<Segment> {
    const parts: Uint8Array[] = [];
    let [from, cursor] = [start, start];
    while (cursor < end) {
      const page = await source.read({ from: cursor, maxBytes: end - cursor });
      if (page.next <= cursor) break;
      // A hole inside would move what follows it: only what comes after the hole is kept.
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
