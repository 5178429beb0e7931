/**
 * Writes to a non-blocking descriptor without blocking or spinning.
 *
 * Node's terminal stream cannot be used: it cannot wait until a terminal's master is writable and would spin. So a
 * write to a full terminal is retried on a timer that slows down while the program does not read, and immediately when
 * the program shows activity.
 */
import { constants } from "node:os";
import { deferred } from "../../base/async/deferred.ts";
import { errno, libc } from "../../linux/libc.ts";
import { noteTyping } from "../recent-typing.ts";

const FIRST_RETRY_MS = 1;
const SLOWEST_RETRY_MS = 32;
/** At most this much is written per event loop turn, so that a large paste does not delay others. */
const BYTES_PER_TURN = 64 * 1024;

interface Pending {
  readonly bytes: Uint8Array;
  readonly done: (taken: number) => void;
  readonly onTaken: ((count: number) => void) | undefined;
  taken: number;
}

export interface FdWriterOptions {
  /** Writes what it can without blocking, as write(2) does. */
  readonly write?: (fd: number, bytes: Uint8Array) => number;
  /** Called with the descriptor when somebody types. */
  readonly note?: (fd: number) => void;
}

export class FdWriter {
  readonly #fd: number;
  readonly #write: (fd: number, bytes: Uint8Array) => number;
  readonly #note: (fd: number) => void;
  #pending: Pending | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #isEnded = false;

  constructor(fd: number, { write = writeNow, note = noteTyping }: FdWriterOptions = {}) {
    this.#fd = fd;
    this.#write = write;
    this.#note = note;
  }

  /** Resolves with the number of accepted bytes: all, unless it was stopped or the other side is closed. */
  write(bytes: Uint8Array, onTaken?: (count: number) => void): Promise<number> {
    if (this.#isEnded) return Promise.resolve(0);
    this.#note(this.#fd);
    const { promise, resolve } = deferred<number>();
    this.#pending = { bytes, done: resolve, onTaken, taken: 0 };
    this.#advance();
    return promise;
  }

  /** Call when the program shows activity: it may have read its input. */
  nudge(): void {
    if (!this.#pending || this.#retryMs === FIRST_RETRY_MS) return;
    this.#retryMs = FIRST_RETRY_MS;
    this.#schedule();
  }

  /** Ends the current write with what was accepted so far. */
  stop(): void {
    this.#finish();
  }

  end(): void {
    this.#isEnded = true;
    this.#finish();
  }

  #advance(): void {
    const pending = this.#pending;
    if (!pending) return;
    const until = Math.min(pending.bytes.length, pending.taken + BYTES_PER_TURN);
    const before = pending.taken;
    const outcome = this.#writeUpTo(pending, until);
    if (outcome === "gone" || pending.taken === pending.bytes.length) {
      this.#finish();
      return;
    }
    this.#retryMs = pending.taken > before ? FIRST_RETRY_MS : Math.min(this.#retryMs * 2, SLOWEST_RETRY_MS);
    this.#schedule();
  }

  #writeUpTo(pending: Pending, until: number): "full" | "gone" | "written" {
    while (pending.taken < until) {
      const rest = pending.bytes.subarray(pending.taken, until);
      const count = this.#write(this.#fd, rest);
      if (count > 0) {
        pending.taken += count;
        pending.onTaken?.(count);
      } else if (count === 0 || isAgain(errno())) return "full";
      else return "gone";
    }
    return "written";
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#advance(), this.#retryMs);
  }

  #finish(): void {
    clearTimeout(this.#timer);
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.done(pending.taken);
  }
}

function writeNow(fd: number, bytes: Uint8Array): number {
  return libc.write(fd, bytes, bytes.length);
}

function isAgain(error: number): boolean {
  const { EAGAIN, EINTR } = constants.errno;
  return error === EAGAIN || error === EINTR;
}
