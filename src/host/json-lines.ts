/**
 * Messages over a socket, one JSON value per line, in both directions. Nothing that the other side does can fill our
 * memory.
 */
import type { Socket } from "node:net";
import { deferred } from "../base/deferred.ts";
import { LineSplitter } from "../base/line-splitter.ts";

export interface JsonLinesOptions {
  readonly socket: Socket;
  readonly maxLineBytes: number;
  /** What is no message is told, too. */
  readonly onLine: (line: ReceivedLine) => void;
  readonly onClosed: () => void;
}

export type ReceivedLine =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "not JSON" }
  | { readonly kind: "too long" };

/** Who does not take this much gets no further answers before it has: we stop reading what it asks. */
const FULL_BYTES = 1024 * 1024;

export class JsonLines {
  readonly #socket: Socket;
  readonly #lines: LineSplitter;
  readonly #options: JsonLinesOptions;
  #taken = deferred<void>();

  constructor(options: JsonLinesOptions) {
    const { socket, onClosed } = options;
    this.#options = options;
    this.#socket = socket;
    this.#lines = new LineSplitter(options.maxLineBytes);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("drain", () => this.#goOn());
    // A close follows.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#goOn();
      onClosed();
    });
  }

  /** Bytes that the other side has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  /** Resolves when the other side has taken what it was sent, or is gone. */
  async untilTaken(): Promise<void> {
    if (this.unsentBytes > FULL_BYTES && this.#socket.writable) await this.#taken.promise;
  }

  send(message: object): void {
    this.sendLine(JSON.stringify(message));
  }

  sendLine(line: string): void {
    if (!this.#socket.writable) return;
    this.#socket.write(`${line}\n`);
    if (this.unsentBytes > FULL_BYTES) this.#socket.pause();
  }

  /** What was sent still arrives. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #goOn(): void {
    this.#taken.resolve();
    this.#taken = deferred<void>();
    this.#socket.resume();
  }

  #take(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) {
      if (this.#socket.destroyed) return;
      if (line.kind === "too-long") this.#options.onLine({ kind: "too long" });
      else if (line.text.trim() !== "") this.#options.onLine(parse(line.text));
    }
  }
}

function parse(text: string): ReceivedLine {
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return { kind: "not JSON" };
  }
}
