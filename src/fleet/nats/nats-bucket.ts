/** A bucket of keys in JetStream. Reads may be old: whoever decides, decides by the result of `replace`. */
import { type DirectStreamAPI, JetStreamApiError } from "@nats-io/jetstream";
import type { KV, KvEntry } from "@nats-io/kv";
import { withTimeout } from "../../base/async/with-timeout.ts";
import type { Bucket, BucketEntry } from "./bus.ts";

/** Another value was written meanwhile: the codes of a stream, by subject and as a whole. */
const CONFLICTS: ReadonlySet<number> = new Set([10_071, 10_164]);
/** Entries that expire while they are read are not waited for. */
const READ_ALL_MS = 3_000;
const OPERATION = "KV-Operation";

interface Store {
  readonly name: string;
  readonly store: KV;
  /** Reads messages of a stream by their numbers. */
  readonly direct: () => Promise<DirectStreamAPI>;
}

export function natsBucket({ name, store, direct }: Store): Bucket {
  return {
    async get(key) {
      const entry = await store.get(key);
      return entry ? entryOf(entry) : undefined;
    },
    async all() {
      const { values } = await store.status();
      if (values === 0) return [];
      const found = new Map<string, BucketEntry | undefined>();
      const entries = await store.watch();
      const reading = (async () => {
        for await (const entry of entries) {
          found.set(entry.key, entryOf(entry));
          if (entry.isUpdate || entry.delta === 0) break;
        }
      })();
      await withTimeout(READ_ALL_MS, reading);
      entries.stop();
      return [...found.values()].filter((entry) => entry !== undefined);
    },
    async match(pattern) {
      const [stream, prefix] = [`KV_${name}`, `$KV.${name}.`];
      const messages = await direct();
      const found: BucketEntry[] = [];
      for (let seq = 1; ; ) {
        const message = await messages.getMessage(stream, { seq, next_by_subj: prefix + pattern });
        if (!message) return found;
        seq = message.seq + 1;
        const key = message.subject.slice(prefix.length);
        // A deleted key leaves a mark behind.
        if (!message.header.has(OPERATION)) found.push({ key, value: message.data, revision: message.seq });
      }
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

function entryOf({ key, value, revision, operation }: KvEntry): BucketEntry | undefined {
  return operation === "PUT" ? { key, value, revision } : undefined;
}
