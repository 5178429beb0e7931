/**
 * Delivers input in order, each write completely before the next, and bounds what is queued.
 *
 * In line mode the kernel silently truncates a line that is too long. The queue checks for that just before it delivers
 * a write, because the program may have changed the mode since the call. Without a probe the mode is not known and
 * nothing is checked.
 *
 * An interrupt key overtakes everything that the program has not read, and discards it, as in a terminal.
 */
import { type Deferred, deferred } from "../base/deferred.ts";
import { MAX_INPUT_BYTES, MAX_LINE_BYTES } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { Channel } from "../transport/transport.ts";
import { HeldInput, type OnDiscarded } from "./held-input.ts";
import { type InputGap, waitForGap } from "./input-gap.ts";
import { longestLine, openLineAfter } from "./line-length.ts";

type InputChannel = Pick<Channel, "write" | "stopWrite" | "endInput" | "probe">;

/** Called just before input is delivered to the terminal. The function it returns is called afterwards. */
export type OnDelivery = (bytes: Uint8Array) => (delivered: Delivered) => void;

export interface Delivered {
  /** How many bytes the terminal accepted. */
  readonly taken: number;
  /** The terminal echoed during the whole delivery. Never true for a password, or without a probe. */
  readonly isShown: boolean;
}

/** Input that is delivered at once. */
export interface InputPart {
  /** Called when its turn comes, because the parts before it can change how a key must be sent. May throw. */
  encode(): Uint8Array;
  /** What must happen between the part before and this one. Default: nothing. */
  readonly gap?: InputGap | undefined;
}

interface Entry {
  readonly parts: readonly InputPart[];
  /** Of all parts, as encoded when they were queued. */
  readonly bytes: number;
  readonly done: Deferred<void>;
  readonly onDiscarded: OnDiscarded | undefined;
  /** Interrupts the program: the terminal is emptied first. */
  readonly isInterrupt: boolean;
  isDiscarded: boolean;
  /** How much the terminal has accepted. */
  taken: number;
}

/** Ctrl+V makes the next byte literal. */
const QUOTE = 0x16;

export class InputQueue {
  readonly #channel: InputChannel;
  readonly #onDelivery: OnDelivery | undefined;
  readonly #held = new HeldInput();
  #entries: Entry[] = [];
  #openLineBytes = 0;
  #undeliveredBytes = 0;
  #isDelivering = false;
  #isEndAsked = false;
  #hasProgramEnded = false;

  constructor(channel: InputChannel, onDelivery?: OnDelivery) {
    this.#channel = channel;
    this.#onDelivery = onDelivery;
  }

  /** Bytes of writes that are not complete. */
  get queuedBytes(): number {
    return this.#entries.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Bytes that the program has not read: queued here, or held by the terminal. After its end, those it never got. */
  get unreadBytes(): number {
    const { probe } = this.#channel;
    const queued = this.#entries.reduce((sum, { bytes, taken }) => sum + Math.max(0, bytes - taken), 0);
    return this.#undeliveredBytes + queued + (probe ? this.#held.unreadBytes(probe.unreadInput()) : 0);
  }

  /** Resolves when the terminal has accepted all bytes. */
  write(bytes: Uint8Array, onDiscarded?: OnDiscarded): Promise<void> {
    return this.type([{ encode: () => bytes }], onDiscarded);
  }

  /**
   * Resolves when the terminal has accepted all parts. Rejects with `INPUT_DISCARDED` if an interrupt key was typed
   * before that. `onDiscarded` is also called for accepted bytes that the program has not read by then.
   */
  type(parts: readonly InputPart[], onDiscarded?: OnDiscarded): Promise<void> {
    const encoded = parts.map((part) => part.encode());
    const bytes = encoded.reduce((sum, { length }) => sum + length, 0);
    if (this.#isEndAsked) return Promise.reject(inputEnded(bytes));
    const rest = this.#restFromInterrupt(parts, encoded);
    if (rest) {
      this.#discardQueued();
      if (rest.droppedBytes > 0) onDiscarded?.(rest.droppedBytes);
    }
    if (this.queuedBytes + bytes > MAX_INPUT_BYTES) return Promise.reject(this.#backlog(bytes));
    const done = deferred<void>();
    const typed = rest ? { parts: rest.parts, bytes: bytes - rest.droppedBytes } : { parts, bytes };
    this.#entries.push({ ...typed, done, onDiscarded, isInterrupt: rest !== undefined, isDiscarded: false, taken: 0 });
    if (!this.#isDelivering) void this.#deliverAll();
    return done.promise;
  }

  /** Ends the input after everything that was written before. */
  end(): void {
    this.#isEndAsked = true;
    if (!this.#isDelivering) this.#channel.endInput();
  }

  /** The program has ended: what is queued cannot be delivered. */
  programEnded(): void {
    this.#hasProgramEnded = true;
    this.#channel.stopWrite();
  }

  async #deliverAll(): Promise<void> {
    this.#isDelivering = true;
    for (let entry = this.#entries[0]; entry; entry = this.#entries[0]) {
      if (entry.isInterrupt) this.#emptyTerminal();
      const error = await this.#deliver(entry);
      // Discarded meanwhile: its caller knows, and the entries after it are new.
      if (entry.isDiscarded) continue;
      this.#entries.shift();
      if (error) {
        if (error.code === "INPUT_NOT_DELIVERED") this.#undeliveredBytes += error.undeliveredBytes ?? 0;
        entry.done.reject(error);
      } else entry.done.resolve();
    }
    this.#isDelivering = false;
    if (this.#isEndAsked) this.#channel.endInput();
  }

  async #deliver(entry: Entry): Promise<LimpetError | undefined> {
    let isReading = true;
    for (const part of entry.parts) {
      // A program that did not read before the last part is not waited for again.
      if (part.gap && isReading && entry.taken > 0) {
        isReading = await waitForGap(this.#channel.probe, part.gap, {
          isOver: () => entry.isDiscarded || this.#hasProgramEnded,
        });
      }
      if (entry.isDiscarded) return undefined;
      if (this.#hasProgramEnded) return notDelivered(entry.bytes, entry.taken);
      const bytes = tryEncode(part);
      if (bytes instanceof LimpetError) return bytes;
      const { isCanonical = false, isEchoing = false } = this.#channel.probe?.terminalMode() ?? {};
      const error = isCanonical ? this.#refuse(bytes) : undefined;
      if (error) return error;
      const taken = await this.#give(bytes, isEchoing, entry);
      // Outside line mode no line stays open: the program receives every byte, and a later change of mode starts a new
      // line.
      this.#openLineBytes = isCanonical ? openLineAfter(this.#openLineBytes, bytes.subarray(0, taken)) : 0;
      if (taken < bytes.length && !entry.isDiscarded) return notDelivered(entry.bytes, entry.taken);
    }
    return undefined;
  }

  async #give(bytes: Uint8Array, isEchoing: boolean, entry: Entry): Promise<number> {
    const { probe } = this.#channel;
    const done = this.#onDelivery?.(bytes);
    if (probe) this.#held.unreadBytes(probe.unreadInput());
    const taken = await this.#channel.write(bytes, (count) => {
      entry.taken += count;
      if (probe) this.#held.add(count, entry.onDiscarded);
    });
    done?.({ taken, isShown: isEchoing && probe?.terminalMode()?.isEchoing === true });
    return taken;
  }

  /** What is left of the input from its last interrupt key on; undefined if no unread input is in its way. */
  #restFromInterrupt(parts: readonly InputPart[], encoded: readonly Uint8Array[]): Rest | undefined {
    const { probe } = this.#channel;
    const keys = probe?.signalKeys() ?? [];
    const index = encoded.findLastIndex((bytes) => interruptAt(bytes, keys) >= 0);
    const bytes = encoded[index];
    if (!probe || !bytes || (this.#entries.length === 0 && !probe.hasUnreadInput())) return undefined;
    const at = interruptAt(bytes, keys);
    const before = encoded.slice(0, index).reduce((sum, { length }) => sum + length, 0);
    return {
      parts: [{ encode: () => bytes.subarray(at) }, ...parts.slice(index + 1)],
      droppedBytes: before + at,
    };
  }

  #discardQueued(): void {
    for (const entry of this.#entries.splice(0)) {
      const left = entry.bytes - entry.taken;
      entry.isDiscarded = true;
      entry.onDiscarded?.(left);
      entry.done.reject(discarded(entry.bytes, left));
    }
    this.#channel.stopWrite();
  }

  /** A full terminal does not even look at the key. */
  #emptyTerminal(): void {
    const { probe } = this.#channel;
    if (!probe) return;
    this.#held.discard(probe.unreadInput());
    probe.discardUnread();
    this.#openLineBytes = 0;
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
      `The program has not read ${this.queuedBytes} bytes of input yet, and ${bytes} more would exceed the limit of ${MAX_INPUT_BYTES}. Nothing of this write was queued: wait until the program reads, or write smaller pieces.`,
      { undeliveredBytes: bytes },
    );
  }
}

interface Rest {
  readonly parts: readonly InputPart[];
  /** Bytes of the same input before the key. */
  readonly droppedBytes: number;
}

/** Pure: where the last key that interrupts is; -1 if there is none. */
function interruptAt(bytes: Uint8Array, keys: readonly number[]): number {
  if (keys.length === 0) return -1;
  return bytes.findLastIndex((byte, at) => keys.includes(byte) && bytes[at - 1] !== QUOTE);
}

function tryEncode(part: InputPart): Uint8Array | LimpetError {
  try {
    return part.encode();
  } catch (error) {
    if (error instanceof LimpetError) return error;
    throw error;
  }
}

function notDelivered(bytes: number, taken: number): LimpetError {
  return new LimpetError(
    "INPUT_NOT_DELIVERED",
    `The session ended before it accepted ${bytes - taken} of ${bytes} bytes of input. Start a new session to send them.`,
    { undeliveredBytes: bytes - taken },
  );
}

function discarded(bytes: number, left: number): LimpetError {
  return new LimpetError(
    "INPUT_DISCARDED",
    `An interrupt key that was typed later discarded ${left} of ${bytes} bytes of input. Send them again if the program still needs them.`,
    { undeliveredBytes: left },
  );
}

function inputEnded(bytes: number): LimpetError {
  return new LimpetError(
    "INPUT_CLOSED",
    `The input of this session has already ended, so these ${bytes} bytes cannot be written. Write before you end the input, or start a new session.`,
    { undeliveredBytes: bytes },
  );
}
