/**
 * Delivers writes in order, each one completely before the next, and bounds what is queued.
 *
 * In line mode the kernel silently truncates a line that is too long. The queue checks for that just before it delivers
 * a write, because the program may have changed the mode since the call. Without a probe the mode is not known and
 * nothing is checked.
 */
import { deferred } from "../base/deferred.ts";
import { MAX_INPUT_BYTES, MAX_LINE_BYTES } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { Channel } from "../transport/transport.ts";

type InputChannel = Pick<Channel, "write" | "endInput" | "probe">;

/** Called just before input is delivered to the terminal. The function it returns is called afterwards. */
export type OnDelivery = (bytes: Uint8Array) => (delivered: Delivered) => void;

export interface Delivered {
  /** How many bytes the terminal accepted. */
  readonly taken: number;
  /** The terminal echoed during the whole delivery. Never true for a password, or without a probe. */
  readonly isShown: boolean;
}

interface Entry {
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: LimpetError) => void;
}

/**
 * Enter is CR or LF, and Ctrl+D also ends a line. Ctrl+C, Ctrl+\\, Ctrl+Z and Ctrl+U discard the line typed so far.
 * These are a terminal's default keys; programs rarely change them.
 */
const LINE_ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x04, 0x03, 0x1c, 0x1a, 0x15]);
/** Ctrl+V makes the next byte literal. */
const QUOTE = 0x16;

export class InputQueue {
  readonly #channel: InputChannel;
  readonly #onDelivery: OnDelivery | undefined;
  readonly #entries: Entry[] = [];
  #queuedBytes = 0;
  #openLineBytes = 0;
  #isDelivering = false;
  #isEndAsked = false;

  constructor(channel: InputChannel, onDelivery?: OnDelivery) {
    this.#channel = channel;
    this.#onDelivery = onDelivery;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Resolves when the terminal has accepted all bytes. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#isEndAsked) return Promise.reject(inputEnded(bytes.length));
    if (this.#queuedBytes + bytes.length > MAX_INPUT_BYTES) return Promise.reject(this.#backlog(bytes.length));
    const { promise, resolve, reject } = deferred<void>();
    this.#entries.push({ bytes, resolve, reject });
    this.#queuedBytes += bytes.length;
    if (!this.#isDelivering) void this.#deliver();
    return promise;
  }

  /** Ends the input after everything that was written before. */
  end(): void {
    this.#isEndAsked = true;
    if (!this.#isDelivering) this.#channel.endInput();
  }

  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    for (let entry = this.#entries[0]; entry; entry = this.#entries[0]) {
      const { isCanonical = false, isEchoing = false } = this.#channel.probe?.terminalMode() ?? {};
      const error = isCanonical ? this.#refuse(entry.bytes) : undefined;
      const taken = error ? 0 : await this.#give(entry.bytes, isEchoing);
      this.#entries.shift();
      this.#queuedBytes -= entry.bytes.length;
      // Outside line mode no line stays open: the program receives every byte, and a later change of mode starts a new
      // line.
      if (!isCanonical) this.#openLineBytes = 0;
      else if (!error) this.#openLineBytes = openLineAfter(this.#openLineBytes, entry.bytes.subarray(0, taken));
      if (error) entry.reject(error);
      else if (taken < entry.bytes.length) entry.reject(notDelivered(entry.bytes.length, taken));
      else entry.resolve();
    }
    this.#isDelivering = false;
    if (this.#isEndAsked) this.#channel.endInput();
  }

  async #give(bytes: Uint8Array, isEchoing: boolean): Promise<number> {
    const done = this.#onDelivery?.(bytes);
    const taken = await this.#channel.write(bytes);
    done?.({ taken, isShown: isEchoing && this.#channel.probe?.terminalMode()?.isEchoing === true });
    return taken;
  }

  #refuse(bytes: Uint8Array): LimpetError | undefined {
    const longest = longestLine(this.#openLineBytes, bytes);
    if (longest <= MAX_LINE_BYTES) return undefined;
    return new LimpetError(
      "LINE_TOO_LONG",
      `The input contains a line of ${longest} bytes, but this program reads lines, which the kernel truncates at ${MAX_LINE_BYTES} bytes. Nothing was written: send shorter lines, or put the text into a file.`,
      { undeliveredBytes: bytes.length },
    );
  }

  #backlog(bytes: number): LimpetError {
    return new LimpetError(
      "INPUT_BACKLOG",
      `The program has not read ${this.#queuedBytes} bytes of input yet, and ${bytes} more would exceed the limit of ${MAX_INPUT_BYTES}. Nothing of this write was queued: wait until the program reads, or write smaller pieces.`,
      { undeliveredBytes: bytes },
    );
  }
}

function notDelivered(bytes: number, taken: number): LimpetError {
  return new LimpetError(
    "INPUT_NOT_DELIVERED",
    `The session ended before it accepted ${bytes - taken} of ${bytes} bytes of input. Start a new session to send them.`,
    { undeliveredBytes: bytes - taken },
  );
}

function inputEnded(bytes: number): LimpetError {
  return new LimpetError(
    "INPUT_CLOSED",
    `The input of this session has already ended, so these ${bytes} bytes cannot be written. Write before you end the input, or start a new session.`,
    { undeliveredBytes: bytes },
  );
}

/** Pure: the longest line, without its end, if `bytes` follow an unfinished line of `open` bytes. */
export function longestLine(open: number, bytes: Uint8Array): number {
  let longest = 0;
  for (const length of lineLengths(open, bytes)) longest = Math.max(longest, length);
  return longest;
}

/** Pure: the length of the line that `bytes` leaves unfinished. */
export function openLineAfter(open: number, bytes: Uint8Array): number {
  let last = open;
  for (const length of lineLengths(open, bytes)) last = length;
  return last;
}

/** The length of the line after each byte; 0 after the end of a line. */
function* lineLengths(open: number, bytes: Uint8Array): Generator<number> {
  let length = open;
  let isQuoted = false;
  for (const byte of bytes) {
    const isEnd = !isQuoted && LINE_ENDS.has(byte);
    isQuoted = !isQuoted && byte === QUOTE;
    if (!isQuoted) length = isEnd ? 0 : length + 1;
    yield length;
  }
}
