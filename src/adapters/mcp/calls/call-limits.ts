/** How long the calls of one connection may wait, so that each is answered before its client gives up. */
import { MAX_TIMER_MS } from "../../../base/limits.ts";
import { requireInteger } from "../../../base/require-integer.ts";
import { type ClientHabits, clientNameOf, habitsOf } from "../client-habits.ts";
import type { Message } from "../read-message.ts";

/** Time to start a host and a shell before the wait, and to write the answer after it. */
const RESERVE_MS = 10_000;
/** The largest part of a client's time-out that is reserved, so that a short time-out is still mostly for waiting. */
const RESERVE_SHARE = 0.2;
const TIMED_OUT = /time[d\s-]*out/i;

export class CallLimits {
  readonly #maxWaitMs: number | undefined;
  #habits: ClientHabits = habitsOf(undefined);
  /** The shortest time after which the client has given up on a call. */
  #gaveUpMs = Number.POSITIVE_INFINITY;

  /** `maxWaitMs` overrides what is known about the client. */
  constructor(maxWaitMs?: number) {
    if (maxWaitMs !== undefined) requireInteger("maxWaitMs", maxWaitMs, { min: 0, max: MAX_TIMER_MS });
    this.#maxWaitMs = maxWaitMs;
  }

  /** Learns from each message who the client is. */
  note(message: Message): void {
    const name = clientNameOf(message);
    if (name !== undefined) this.#habits = habitsOf(name);
  }

  get habits(): ClientHabits {
    return this.#habits;
  }

  /** Undefined: as long as the call asks for. */
  longestWaitMs({ hasProgress }: { readonly hasProgress: boolean }): number | undefined {
    if (this.#maxWaitMs !== undefined) return this.#maxWaitMs;
    const { patienceMs, isRenewedByProgress } = this.#habits;
    const isPatient = hasProgress && isRenewedByProgress;
    const givesUpMs = Math.min(this.#gaveUpMs, isPatient ? Number.POSITIVE_INFINITY : patienceMs);
    if (givesUpMs === Number.POSITIVE_INFINITY) return undefined;
    return Math.round(givesUpMs - Math.min(RESERVE_MS, givesUpMs * RESERVE_SHARE));
  }

  /** The client has cancelled a call. If it gave up, later calls do not wait as long. */
  cancelled(afterMs: number, reason: unknown): void {
    if (TIMED_OUT.test(String(reason))) this.#gaveUpMs = Math.min(this.#gaveUpMs, afterMs);
  }
}
