/**
 * Limits how many sessions a door places at once. A burst of starts waits here, in order: a host that gets more starts
 * than it can handle would answer none of them in time.
 */
import { Semaphore } from "../../base/async/semaphore.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { KnownHost } from "../lease/known-host.ts";
import type { Bus } from "../nats/bus.ts";
import { placeSession, type SessionWish } from "./place-session.ts";

/** A host that was chosen for a session. */
export interface PlacedSession {
  readonly host: string;
  /** Call when the host has started or refused the session: the next one can be placed. Calling it twice is fine. */
  settle(): void;
}

/** A few for each processor of a small fleet. The next ones follow when these are answered. */
const MAX_STARTING = 32;
/**
 * A start that also waits for output is answered late. After this time the door assumes that the host has started it.
 */
const ASSUME_STARTED_MS = 1_000;
/**
 * How long a placed session counts as extra load of its host. After that, the host's lease and load average include it.
 */
const RECENT_MS = 5_000;
/** From the request on, including the wait for earlier starts. MCP clients wait for a minute. */
const PLACE_MS = 60_000;

export class Placements {
  readonly #hosts: () => readonly KnownHost[];
  readonly #starting = new Semaphore(MAX_STARTING);
  readonly #recent = new Map<string, number>();

  /** `hosts` returns the hosts as known at the time of the call. */
  constructor(hosts: () => readonly KnownHost[]) {
    this.#hosts = hosts;
  }

  /** Rejects with FLEET_FULL, and the message says what is missing, or with the signal's reason. */
  async place(bus: Bus, wish: SessionWish): Promise<PlacedSession> {
    const deadlineMs = performance.now() + PLACE_MS;
    const leave = await this.#enter(wish.signal);
    try {
      const host = await placeSession(bus, wish, { hosts: this.#hosts, recent: this.#recent, deadlineMs });
      return this.#track(host, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<() => void> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooLate()), PLACE_MS);
    try {
      return await this.#starting.enter(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #track(host: string, leave: () => void): PlacedSession {
    this.#count(host, 1);
    setTimeout(() => this.#count(host, -1), RECENT_MS).unref();
    const timer = setTimeout(leave, ASSUME_STARTED_MS).unref();
    const settle = () => {
      clearTimeout(timer);
      leave();
    };
    return { host, settle };
  }

  #count(host: string, change: number): void {
    const count = (this.#recent.get(host) ?? 0) + change;
    if (count > 0) this.#recent.set(host, count);
    else this.#recent.delete(host);
  }
}

function tooLate(): LimpetError {
  const text = `Other starts through this door took ${PLACE_MS / 1000} s, so this session was not placed.`;
  return new LimpetError("FLEET_FULL", `${text} Try again later.`);
}
