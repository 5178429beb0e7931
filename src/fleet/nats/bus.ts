/** The part of NATS that a fleet uses: messages, requests and key-value buckets. */

export interface BusMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** The sender no longer waits for an answer, so the request must not be carried out. */
  readonly isLate: boolean;
  /** Undefined if the message does not ask for an answer. */
  readonly answer: ((data: Uint8Array) => void) | undefined;
}

interface RequestOptions {
  readonly timeoutMs: number;
  /** Adds headers that say when the request was sent and how long its sender waits. Default false. */
  readonly hasDeadline?: boolean;
}

export interface Bus {
  /** The address of NATS for messages, without credentials. */
  readonly server: string;
  /** How many copies of each message NATS should store: 1, or 3 in a cluster. */
  readonly replicas: number;
  publish(subject: string, data: Uint8Array): void;
  /** Returns a function that ends the subscription. */
  subscribe(subject: string, onMessage: (message: BusMessage) => void): () => void;
  /** Undefined if nobody answered in time. */
  request(subject: string, data: Uint8Array, options: RequestOptions): Promise<Uint8Array | undefined>;
  /** Opens a bucket, and creates it if it does not exist. */
  bucket(name: string, options?: BucketOptions): Promise<Bucket>;
  /**
   * Calls `listener` when a lost connection is back. Messages may have been dropped meanwhile. Returns a function that
   * removes the listener.
   */
  onBack(listener: () => void): () => void;
  close(): Promise<void>;
}

interface BucketOptions {
  /** NATS deletes entries at this age. Default: never. */
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
  /** The latest entry of every key. */
  all(): Promise<readonly StoredEntry[]>;
  /**
   * The entries whose keys match a pattern such as `*.x`, sorted by revision. Sends one request per entry, so it is
   * meant for few entries.
   */
  match(pattern: string): Promise<readonly BucketEntry[]>;
  /**
   * Writes the entry if it still has this revision; with 0, if it does not exist. Returns the new revision, or
   * undefined if another write came first.
   */
  replace(key: string, value: Uint8Array, revision: number): Promise<number | undefined>;
  delete(key: string): Promise<void>;
}
