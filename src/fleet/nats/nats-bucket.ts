/** A bucket of keys in JetStream. Reads may be old: whoever decides, decides by the result of `replace`. */
import { DeliverPolicy, JetStreamApiError, type JetStreamClient, type JsMsg } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import { withTimeout } from "../../base/async/with-timeout.ts";
import type { Bucket, StoredEntry } from "./bus.ts";

/** Another value was written meanwhile: the codes of a stream, by subject and as a whole. */
const CONFLICTS: ReadonlySet<number> = new Set([10_071, 10_164]);
/** Entries that expire while they are read are not waited for. */
const READ_ALL_MS = 3_000;

export function natsBucket(name: string, store: KV, stored: JetStreamClient): Bucket {
  return {
    async get(key) {
      const entry = await store.get(key);
      if (entry?.operation !== "PUT") return undefined;
      return { key: entry.key, value: entry.value, revision: entry.revision };
    },
    async all() {
      const policy = { filter_subjects: `$KV.${name}.>`, deliver_policy: DeliverPolicy.LastPerSubject };
      const consumer = await stored.consumers.getPushConsumer(`KV_${name}`, policy);
      // It has just been created: the only answer of NATS that says what time it is there.
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

function isPut({ headers }: JsMsg): boolean {
  return (headers?.get("KV-Operation") ?? "") === "";
}

function entryOf(bucket: string, { subject, data, seq, time }: JsMsg, nowMs: number): StoredEntry {
  const key = subject.slice(`$KV.${bucket}.`.length);
  return { key, value: data, revision: seq, ageMs: Math.max(0, nowMs - time.getTime()) };
}
