/**
 * Delivers input in order, each write completely before the next, and bounds what is queued.
 *
 * In line mode the kernel silently truncates a line that is too long. The queue checks for that just before it delivers
 * a write, because the program may have changed the mode since the call. Without a probe the mode is not known and
 * nothing is checked.
 *
 * An interrupt key overtakes everything that the program has not read, and discards it, as in a terminal.
 */
import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { MAX_INPUT_BYTES, MAX_LINE_BYTES } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Channel } from "../../transport/transport.ts";
import { HeldInput, type OnDiscarded } from "./held-input.ts";
import { inputBacklog, inputDiscarded, inputEnded, lineTooLong, notDelivered } from "./input-errors.ts";
import { waitForGap } from "./input-gap.ts";
import type { InputPart } from "./input-part.ts";
import { type InterruptRest, restFromInterrupt } from "./interrupt-rest.ts";
import { longestLine, openLineAfter } from "./line-length.ts";

type InputChannel = Pick<Channel, "write" | "stopWrite" | "endInput" | "probe" | "pid">;

/** Called just before input is delivered to the terminal. The function it returns is called afterwards. */
export type OnDelivery = (bytes: Uint8Array) => (delivered: Delivered) => void;

export interface Delivered {
  /** How many bytes the terminal accepted. */
  readonly taken: number;
  /** The terminal echoed during the whole delivery. Never true for a password, or without a probe. */
  readonly isShown: boolean;
}

interface Entry {
  readonly parts: readonly InputPart[];
  /** The size of all parts, as encoded when they were queued. */
  readonly bytes: number;
  readonly done: Deferred<void>;
  readonly onDiscarded: OnDiscarded | undefined;
  /** The input interrupts the program, so the terminal is emptied first. */
  readonly isInterrupt: boolean;
  isDiscarded: boolean;
  /** How many bytes the terminal has accepted. */
  taken: number;
}

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

  /**
   * Bytes that the program has not read: queued here, or held by the terminal. After its end: bytes that it never
   * received.
   */
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
    if (this.queuedBytes + bytes > MAX_INPUT_BYTES) return Promise.reject(inputBacklog(bytes, this.queuedBytes));
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

  /** Call when the program has ended: queued input cannot be delivered. */
  programEnded(): void {
    this.#hasProgramEnded = true;
    this.#channel.stopWrite();
  }

  async #deliverAll(): Promise<void> {
    this.#isDelivering = true;
    for (let entry = this.#entries[0]; entry; entry = this.#entries[0]) {
      if (entry.isInterrupt) this.#emptyTerminal();
      const error = await this.#deliver(entry);
      // The entry was discarded meanwhile. Its caller knows, and the entries after it are new.
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
          pid: this.#channel.pid,
        });
      }
      if (entry.isDiscarded) return undefined;
      if (this.#hasProgramEnded) return notDelivered(entry.bytes, entry.taken);
      const bytes = tryEncode(part);
      if (bytes instanceof LimpetError) return bytes;
      const { isCanonical = false, isEchoing = false } = this.#channel.probe?.terminalMode() ?? {};
      const longest = isCanonical ? longestLine(this.#openLineBytes, bytes) : 0;
      if (longest > MAX_LINE_BYTES) return lineTooLong(bytes.length, longest);
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

  /** Undefined if the input has no interrupt key, or if there is no unread input before it. */
  #restFromInterrupt(parts: readonly InputPart[], encoded: readonly Uint8Array[]): InterruptRest | undefined {
    const { probe } = this.#channel;
    if (!probe || (this.#entries.length === 0 && !probe.hasUnreadInput())) return undefined;
    return restFromInterrupt(parts, encoded, probe.signalKeys());
  }

  #discardQueued(): void {
    for (const entry of this.#entries.splice(0)) {
      const left = entry.bytes - entry.taken;
      entry.isDiscarded = true;
      entry.onDiscarded?.(left);
      entry.done.reject(inputDiscarded(entry.bytes, left));
    }
    this.#channel.stopWrite();
  }

  /** A full terminal does not process the interrupt key, so it is emptied first. */
  #emptyTerminal(): void {
    const { probe } = this.#channel;
    if (!probe) return;
    this.#held.discard(probe.unreadInput());
    probe.discardUnread();
    this.#openLineBytes = 0;
  }
}

function tryEncode(part: InputPart): Uint8Array | LimpetError {
  try {
    return part.encode();
  } catch (error) {
    if (error instanceof LimpetError) return error;
    throw error;
  }
}
