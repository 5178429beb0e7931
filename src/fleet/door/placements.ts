/**
 * The new sessions of a door on their way to hosts. A burst of starts waits here, in order: hosts that are sent more
 * than they can start at once would answer nobody.
 */
import { Semaphore } from "../../base/async/semaphore.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { KnownHost } from "../lease/known-host.ts";
import type { Bus } from "../nats/bus.ts";
import { placeSession, type SessionWish } from "./place-session.ts";

/** A host that was chosen for a session. */
export interface PlacedSession {
  readonly host: string;
  /** The host has started the session, or has not: the next one can be placed. Calling it twice is fine. */
  settle(): void;
}

/** A few for each processor of a small fleet; the next ones go when these are answered. */
const MAX_STARTING = 32;
/** A start that waits for its program is answered late. After this time its host has surely started it. */
const ASSUME_STARTED_MS = 1_000;
/** What was placed counts for this long as the work that a start is. Leases and load averages show it by then. */
const RECENT_MS = 5_000;
/** From the request on, with the time in which others were placed. Clients of MCP wait for a minute. */
const PLACE_MS = 60_000;

export class Placements {
  readonly #hosts: () => readonly KnownHost[];
  readonly #starting = new Semaphore(MAX_STARTING);
  readonly #recent = new Map<string, number>();

  /** `hosts`: as they are known at the moment of the call. */
  constructor(hosts: () => readonly KnownHost[]) {
    this.#hosts = hosts;
  }

  /** Rejects with FLEET_FULL and what is missing, and with the signal's reason. */
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
