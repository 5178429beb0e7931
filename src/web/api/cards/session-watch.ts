/**
 * Watches all sessions while pages are open, once for any number of pages. It lists the sessions when an event arrives,
 * and from time to time, because output, sizes and names cause no events. However many sessions there are, the host
 * spends only a small part of its time on this.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { LimpetError } from "../../../base/limpet-error.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { SessionSummary } from "../../../service/listing/session-summary.ts";
import type { SessionService } from "../../../service/session-service.ts";
import { Board, type BoardEvent } from "./board.ts";

/** The shortest time between two lists: often enough for a person, even while everything changes. */
const LEAST_MS = 500;
/** The longest time between two lists. */
const MOST_MS = 2_000;
/** The pause after a list is this many times its duration, within `LEAST_MS` and `MOST_REST_MS`. */
const REST_FACTOR = 10;
const MOST_REST_MS = 5_000;
/** Sessions that have ended change rarely, and there may be hundreds. */
const ENDED_EVERY_MS = 10_000;
/** The newest of those that have ended. */
const MOST_ENDED = 100;
/** A page that reloads reconnects within this time. */
const LINGER_MS = 5_000;
/** Between attempts to reach a host that is gone. */
const RETRY_MS = 1_000;

/** A part of a page's stream, and the version that the page has then. Undefined: it must get everything again. */
export interface WatchedEvent {
  readonly part: BoardEvent;
  readonly version: number | undefined;
}

export class SessionWatch {
  readonly board: Board = new Board();
  readonly #sessions: SessionService;
  #pages = 0;
  #stop: AbortController | undefined;
  #linger: NodeJS.Timeout | undefined;
  #ended: readonly SessionSummary[] = [];
  #endedMs = Number.NEGATIVE_INFINITY;
  #isPoked = false;
  #wake: () => void = () => undefined;

  constructor(sessions: SessionService) {
    this.#sessions = sessions;
  }

  /** Something has changed that the host may not announce: looks again soon. */
  poke(): void {
    this.#isPoked = true;
    this.#wake();
  }

  /** A session was closed or restarted. */
  pokeEnded(): void {
    this.#endedMs = Number.NEGATIVE_INFINITY;
    this.poke();
  }

  /** What a page shows, from a version on. Ends when the signal aborts. */
  async *events(
    from: number | undefined,
    only: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<WatchedEvent, void> {
    this.#enter();
    try {
      let have = from;
      for (let seen = -1; !signal.aborted; ) {
        const { board } = this;
        if (board.version === seen || board.version === 0) {
          await board.changes.next({ signal });
          continue;
        }
        seen = board.version;
        const parts = board.since(have, only);
        // A page whose connection breaks between two parts gets all of them again.
        for (const [index, part] of parts.entries())
          yield { part, version: index === parts.length - 1 && board.isComplete ? seen : have };
        if (board.isComplete) have = seen;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#leave();
    }
  }

  #enter(): void {
    this.#pages += 1;
    clearTimeout(this.#linger);
    this.poke();
    if (this.#stop) return;
    this.#stop = new AbortController();
    void this.#look(this.#stop.signal);
    void this.#listen(this.#stop.signal);
  }

  #leave(): void {
    this.#pages -= 1;
    if (this.#pages > 0) return;
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => {
      this.#stop?.abort();
      this.#stop = undefined;
    }, LINGER_MS).unref();
  }

  async #look(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#isPoked = false;
      const startedMs = performance.now();
      try {
        const sessions = await this.#list();
        const approvals = await this.#sessions.approvals.list();
        this.board.see({ sessions, approvals, silent: this.#sessions.silentPlaces?.() ?? [] });
      } catch (error) {
        this.board.noteHost({ isUp: false, problem: problemOf(error) });
      }
      const restMs = Math.min(MOST_REST_MS, Math.max(LEAST_MS, REST_FACTOR * (performance.now() - startedMs)));
      await this.#pause(restMs, signal);
    }
  }

  /** Lists the running sessions each time, and the ended ones now and then and when a session has just ended. */
  async #list(): Promise<readonly SessionSummary[]> {
    const isDue = performance.now() - this.#endedMs > ENDED_EVERY_MS;
    const listed = isDue ? await this.#listAll() : await this.#sessions.list({ ended: false, all: true });
    const current = !isDue && this.#isOneMissing(listed) ? await this.#listAll() : listed;
    const keys = new Set(current.map(keyOf));
    return [...current, ...this.#ended.filter((session) => !keys.has(keyOf(session)))];
  }

  /** Remembers the newest of those that have ended, and returns the others. */
  async #listAll(): Promise<readonly SessionSummary[]> {
    const all = await this.#sessions.list({ ended: true, all: true });
    this.#endedMs = performance.now();
    const ended = all.filter(({ exit, lost }) => exit !== null || lost);
    this.#ended = ended.toSorted((one, other) => one.ageMs - other.ageMs).slice(0, MOST_ENDED);
    return all.filter(({ exit, lost, left }) => exit === null || lost || left.length > 0);
  }

  #isOneMissing(listed: readonly SessionSummary[]): boolean {
    const known = new Set([...listed, ...this.#ended].map(keyOf));
    return this.board.cards.some((card) => !known.has(keyOf(card)));
  }

  async #pause(leastMs: number, signal: AbortSignal): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    await pause(leastMs);
    if (this.#isPoked || signal.aborted) return;
    const poked = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([poked, pause(Math.max(0, MOST_MS - leastMs))]);
  }

  async #listen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const _page of this.#sessions.events({ signal })) this.poke();
      } catch {
        // The list shows whether the host is gone.
      }
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

function problemOf(error: unknown): string {
  return error instanceof LimpetError ? error.message : "The host does not answer.";
}
