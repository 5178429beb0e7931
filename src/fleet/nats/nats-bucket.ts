/** A key-value bucket in JetStream. Reads may return old values, so decisions must rely on the result of `replace`. */
import {
  DeliverPolicy,
  type DirectStreamAPI,
  JetStreamApiError,
  type JetStreamClient,
  type JsMsg,
} from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import { withTimeout } from "../../base/async/with-timeout.ts";
import type { Bucket, BucketEntry, StoredEntry } from "./bus.ts";

/** The error codes if another value was written first: for one subject, and for the whole stream. */
const CONFLICTS: ReadonlySet<number> = new Set([10_071, 10_164]);
/** Entries can expire while they are read, so the expected number may never arrive. */
const READ_ALL_MS = 3_000;
/**
 * A consumer that takes longer is probably on a server that is down. NATS detects that too late for a person who waits.
 */
const CONSUMER_MS = 3_000;
const OPERATION = "KV-Operation";

interface Store {
  readonly name: string;
  readonly store: KV;
  readonly stored: JetStreamClient;
  /** Reads messages of a stream by sequence number. */
  readonly direct: () => Promise<DirectStreamAPI>;
}

export function natsBucket({ name, store, stored, direct }: Store): Bucket {
  return {
    async get(key) {
      const entry = await store.get(key);
      if (entry?.operation !== "PUT") return undefined;
      return { key: entry.key, value: entry.value, revision: entry.revision };
    },
    async all() {
      const reading = readAll(stored, name);
      reading.catch(() => undefined);
      return (await withTimeout(CONSUMER_MS, reading).catch(() => undefined)) ?? (await readOneByOne(direct, name));
    },
    async match(pattern) {
      const found: BucketEntry[] = [];
      for await (const { key, data, seq } of entriesOf(direct, name, pattern))
        found.push({ key, value: data, revision: seq });
      return found;
    },
    async replace(key, value, revision) {
      try {
        return await (revision === 0 ? store.create(key, value) : store.update(key, value, revision));
      } catch (error) {
        if (error instanceof JetStreamApiError && CONFLICTS.has(error.code)) return undefined;
        throw error;
      }
    },
    delete: async (key) => await store.delete(key),
  };
}

/** Reads all entries at once with a consumer. */
async function readAll(stored: JetStreamClient, name: string): Promise<StoredEntry[]> {
  const policy = { filter_subjects: `$KV.${name}.>`, deliver_policy: DeliverPolicy.LastPerSubject };
  const consumer = await stored.consumers.getPushConsumer(`KV_${name}`, policy);
  // The creation time of the consumer is the current time of NATS. No other answer contains it.
  const { num_pending: count, created } = await consumer.info(true);
  if (count === 0) return [];
  const nowMs = Date.parse(created);
  const found = new Map<string, StoredEntry | undefined>();
  const messages = await consumer.consume();
  const reading = (async () => {
    for await (const message of messages) {
      const entry = entryOf(name, message, nowMs);
      found.set(entry.key, isPut(message) ? entry : undefined);
      if (message.info.pending === 0) break;
    }
  })();
  await withTimeout(READ_ALL_MS, reading);
  messages.stop();
  return [...found.values()].filter((entry) => entry !== undefined);
}

/**
 * Reads the entries one by one, from any server that has the bucket. The time of the newest entry serves as the current
 * time of NATS, which is at least that.
 */
async function readOneByOne(direct: Store["direct"], name: string): Promise<StoredEntry[]> {
  const found: (BucketEntry & { readonly writtenMs: number })[] = [];
  for await (const { key, data, seq, time } of entriesOf(direct, name, ">"))
    found.push({ key, value: data, revision: seq, writtenMs: time.getTime() });
  const nowMs = Math.max(...found.map(({ writtenMs }) => writtenMs));
  return found.map(({ writtenMs, ...entry }) => ({ ...entry, ageMs: nowMs - writtenMs }));
}

async function* entriesOf(direct: Store["direct"], name: string, pattern: string) {
  const [stream, prefix] = [`KV_${name}`, `$KV.${name}.`];
  const messages = await direct();
  for (let seq = 1; ; ) {
    const message = await messages.getMessage(stream, { seq, next_by_subj: prefix + pattern });
    if (!message) return;
    seq = message.seq + 1;
    // A deleted key leaves a marker.
    if (message.header.has(OPERATION)) continue;
    yield { key: message.subject.slice(prefix.length), data: message.data, seq: message.seq, time: message.time };
  }
}

function isPut({ headers }: JsMsg): boolean {
  return headers?.has(OPERATION) !== true;
}

function entryOf(bucket: string, { subject, data, seq, time }: JsMsg, nowMs: number): StoredEntry {
  const key = subject.slice(`$KV.${bucket}.`.length);
  return { key, value: data, revision: seq, ageMs: Math.max(0, nowMs - time.getTime()) };
}
