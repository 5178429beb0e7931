/** One side of a link as a stream of bytes. Carries out the effects that `stepLink` returns. */
import { Duplex } from "node:stream";
import { decodeFrame, encodeFrame } from "./frame.ts";
import { type LinkEvent, type LinkState, newLink, roomOf, stepLink } from "./link-state.ts";

/** A dead link is detected within four ticks. */
const TICK_MS = 5_000;

export interface LinkStreamOptions {
  readonly windowBytes: number;
  /** Sends a message to the other side. */
  readonly send: (message: Uint8Array) => void;
  /** Called once, when the link is closed. */
  readonly onClosed: () => void;
  readonly tickMs?: number;
}

interface Unsent {
  readonly data: Uint8Array;
  readonly done: () => void;
}

export class LinkStream extends Duplex {
  readonly #options: LinkStreamOptions;
  readonly #timer: NodeJS.Timeout;
  #state: LinkState;
  /** Data from `_write` that does not fit into the window yet. */
  #unsent: Unsent | undefined;
  /** Received data that is not consumed yet. Null marks the end. */
  readonly #unread: (Uint8Array | null)[] = [];
  #isWanted = false;

  constructor(options: LinkStreamOptions) {
    super({ allowHalfOpen: false });
    this.#options = options;
    this.#state = newLink(options.windowBytes);
    // A link that is lost before it has a user must not end the process with an unhandled error.
    this.on("error", () => undefined);
    this.#timer = setInterval(() => this.#apply({ type: "tick" }), options.tickMs ?? TICK_MS).unref();
  }

  /** Handles a message from the other side. */
  receive(message: Uint8Array): void {
    this.#apply({ type: "received", frame: decodeFrame(message) });
  }

  /** Closes the link, because messages may have been dropped. */
  lose(why: string): void {
    this.destroy(new Error(`The link broke: ${why}.`));
  }

  /** Does nothing: all links share one connection to NATS, which its owner closes. */
  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    this.#isWanted = true;
    this.#deliver();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#unsent = { data: chunk, done };
    this.#flush();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#apply({ type: "end" });
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#timer);
    // Sends a reset unless both sides have already announced their end.
    if (this.#state.phase === "open" || !this.#state.isAtEnd) this.#apply({ type: "give up" });
    this.#unread.length = 0;
    this.#options.onClosed();
    done(error);
  }

  #apply(event: LinkEvent): void {
    const { state, effects } = stepLink(this.#state, event);
    this.#state = state;
    for (const effect of effects) {
      switch (effect.type) {
        case "send":
          this.#options.send(encodeFrame(effect.frame));
          break;
        case "deliver":
          this.#unread.push(effect.data);
          this.#deliver();
          break;
        case "deliver end":
          this.#unread.push(null);
          this.#deliver();
          break;
        case "room":
          this.#flush();
          break;
        case "lost":
          this.lose(effect.why);
      }
    }
  }

  /** Data counts as consumed when it is passed to the reader. */
  #deliver(): void {
    while (this.#isWanted && this.#unread.length > 0 && !this.destroyed) {
      const data = this.#unread.shift() as Uint8Array | null;
      this.#isWanted = this.push(data);
      if (data) this.#apply({ type: "consumed", bytes: data.length });
    }
  }

  #flush(): void {
    for (let unsent = this.#unsent; unsent; unsent = this.#unsent) {
      const { data, done } = unsent;
      const room = roomOf(this.#state);
      if (room === 0 || this.destroyed) return;
      this.#unsent = data.length > room ? { data: data.subarray(room), done } : undefined;
      this.#apply({ type: "written", data: data.subarray(0, room) });
      if (data.length <= room) done();
    }
  }
}
