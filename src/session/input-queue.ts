/**
 * Writes, in order, each whole before the next begins, with a bound on what waits.
 *
 * In line mode the kernel cuts a line that is too long without a word. That is looked for at the last moment, when the write's
 * turn comes, because the mode is the program's and may have changed since the call.
 */
import { deferred } from "../base/deferred.ts";
import { ShellError } from "../base/errors.ts";
import { MAX_INPUT_BYTES, MAX_LINE_BYTES } from "../base/limits.ts";
import type { Channel } from "../transport/transport.ts";

interface Entry {
  readonly bytes: Uint8Array;
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: ShellError) => void;
}

/** Enter is CR or LF, and Ctrl+D ends a line too. */
const LINE_ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x04]);

export class InputQueue {
  readonly #channel: Pick<Channel, "write" | "terminalMode">;
  readonly #entries: Entry[] = [];
  #queuedBytes = 0;
  #openLineBytes = 0;
  #isDelivering = false;

  constructor(channel: Pick<Channel, "write" | "terminalMode">) {
    this.#channel = channel;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Resolves when the terminal has taken all of it. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#queuedBytes + bytes.length > MAX_INPUT_BYTES) return Promise.reject(this.#backlog(bytes.length));
    const { promise, resolve, reject } = deferred<void>();
    this.#entries.push({ bytes, promise, resolve, reject });
    this.#queuedBytes += bytes.length;
    if (!this.#isDelivering) void this.#deliver();
    return promise;
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    // A write that failed is its caller's business.
    await this.#entries.at(-1)?.promise.catch(() => undefined);
  }

  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    for (let entry = this.#entries[0]; entry; entry = this.#entries[0]) {
      const error = this.#refuse(entry.bytes);
      const taken = error ? 0 : await this.#channel.write(entry.bytes);
      this.#entries.shift();
      this.#queuedBytes -= entry.bytes.length;
      if (!error) this.#openLineBytes = openLineAfter(this.#openLineBytes, entry.bytes.subarray(0, taken));
      if (error) entry.reject(error);
      else if (taken < entry.bytes.length) entry.reject(notDelivered(entry.bytes.length, taken));
      else entry.resolve();
    }
    this.#isDelivering = false;
  }

  #refuse(bytes: Uint8Array): ShellError | undefined {
    if (!this.#channel.terminalMode()?.isCanonical) return undefined;
    const longest = longestLine(this.#openLineBytes, bytes);
    if (longest <= MAX_LINE_BYTES) return undefined;
    return new ShellError(
      "LINE_TOO_LONG",
      `A line of ${longest} bytes cannot be typed: this program reads lines, and the kernel cuts them at ${MAX_LINE_BYTES}. Nothing was written; send shorter lines, or put the text into a file.`,
      { undeliveredBytes: bytes.length },
    );
  }

  #backlog(bytes: number): ShellError {
    return new ShellError(
      "INPUT_BACKLOG",
      `${this.#queuedBytes} bytes of input wait for the program to read, and ${bytes} more would exceed ${MAX_INPUT_BYTES}. Nothing of this write was queued; wait until the program reads, or write smaller pieces.`,
      { undeliveredBytes: bytes },
    );
  }
}

function notDelivered(bytes: number, taken: number): ShellError {
  return new ShellError(
    "INPUT_NOT_DELIVERED",
    `The session ended before it took ${bytes - taken} of ${bytes} bytes of input. Start a new session to send them.`,
    { undeliveredBytes: bytes - taken },
  );
}

/** Pure: the longest line, when `open` bytes of an unfinished one come before `bytes`. Its end counts. */
export function longestLine(open: number, bytes: Uint8Array): number {
  let longest = 0;
  let length = open;
  for (const byte of bytes) {
    length += 1;
    if (length > longest) longest = length;
    if (LINE_ENDS.has(byte)) length = 0;
  }
  return longest;
}

/** Pure: how long the line is that `bytes` leaves unfinished. */
export function openLineAfter(open: number, bytes: Uint8Array): number {
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    if (LINE_ENDS.has(bytes[index] ?? 0)) return bytes.length - 1 - index;
  }
  return open + bytes.length;
}
