/**
 * Messages over a socket, one JSON value per line, in both directions. The other side cannot fill this process's
 * memory.
 */
import type { Duplex } from "node:stream";
import { deferred } from "../base/async/deferred.ts";
import { LineSplitter } from "../base/format/line-splitter.ts";

export interface JsonLinesOptions {
  readonly socket: Duplex;
  readonly maxLineBytes: number;
  /** Whether an incomplete line may grow to this many bytes. Default: yes, up to `maxLineBytes`. */
  readonly mayHold?: (bytes: number) => boolean;
  /** Also called for lines that are not messages. */
  readonly onLine: (line: ReceivedLine) => void;
  readonly onClosed: () => void;
}

export type ReceivedLine =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "not JSON" }
  | { readonly kind: "too long" };

/** If the other side has this much unread data, limpet stops reading its requests. */
const FULL_BYTES = 1024 * 1024;

export class JsonLines {
  readonly #socket: Duplex;
  readonly #lines: LineSplitter;
  readonly #options: JsonLinesOptions;
  #taken = deferred<void>();

  constructor(options: JsonLinesOptions) {
    const { socket, onClosed } = options;
    this.#options = options;
    this.#socket = socket;
    this.#lines = new LineSplitter(options.maxLineBytes, options.mayHold);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("drain", () => this.#resume());
    // A close follows.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#resume();
      onClosed();
    });
  }

  /** Bytes of the incomplete line of the other side. */
  get incompleteBytes(): number {
    return this.#lines.heldBytes;
  }

  /** Bytes that the other side has not read yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  /** Resolves when the other side has read what was sent, or has disconnected. */
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

  /** Data that was sent still arrives. */
  end(): void {
    this.#socket.end();
  }

  /** With an error if the other side is dead. */
  destroy(error?: Error): void {
    this.#socket.destroy(error);
  }

  #resume(): void {
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
