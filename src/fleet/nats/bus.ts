/** What a fleet needs of NATS: messages, requests and buckets of keys. */

export interface BusMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** The sender no longer waits for an answer, so the request must not be carried out. */
  readonly isLate: boolean;
  /** Undefined if nobody waits for an answer. */
  readonly answer: ((data: Uint8Array) => void) | undefined;
}

interface RequestOptions {
  readonly timeoutMs: number;
  /** Says in its headers when it was sent, and how long an answer is waited for. Default false. */
  readonly hasDeadline?: boolean;
}

export interface Bus {
  /** How messages name it, without credentials. */
  readonly server: string;
  /** How often NATS should store each message: 1, or 3 if it is a cluster. */
  readonly replicas: number;
  publish(subject: string, data: Uint8Array): void;
  /** Returns how to end this. */
  subscribe(subject: string, onMessage: (message: BusMessage) => void): () => void;
  /** Undefined if nobody answered in time. */
  request(subject: string, data: Uint8Array, options: RequestOptions): Promise<Uint8Array | undefined>;
  /** Created if it does not exist. */
  bucket(name: string, options?: BucketOptions): Promise<Bucket>;
  /** Called when the connection is back after a loss, during which messages were dropped. Returns how to end this. */
  onBack(listener: () => void): () => void;
  close(): Promise<void>;
}

interface BucketOptions {
  /** Entries vanish at this age. Default: never. */
  readonly maxAgeMs?: number;
}

export interface BucketEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
}

export interface StoredEntry extends BucketEntry {
  /** How long ago it was written, by the clock of NATS. */
  readonly ageMs: number;
}

export interface Bucket {
  get(key: string): Promise<BucketEntry | undefined>;
  /** The last value of every key. */
  all(): Promise<readonly StoredEntry[]>;
  /** The entries whose keys match a pattern such as `*.x`, by revision. Asks for one after the other, so for a few. */
  match(pattern: string): Promise<readonly BucketEntry[]>;
  /**
   * Writes if the entry still has this revision; 0: if it does not exist. Returns the new revision, and undefined if
   * somebody else was faster.
   */
  replace(key: string, value: Uint8Array, revision: number): Promise<number | undefined>;
  delete(key: string): Promise<void>;
}
