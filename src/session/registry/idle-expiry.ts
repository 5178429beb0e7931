/**
 * Closes sessions that no caller has used for a long time. One timer serves all: it fires when the first one may
 * expire.
 */
import type { Session } from "../session.ts";

/** A session and when it was last used. */
export interface Usage {
  readonly session: Session;
  /** On the clock of `performance.now()`, which does not follow changes of the date. */
  touchedMs: number;
  /** The number of calls that use it. It does not expire while there are any. */
  calls: number;
}

export class IdleExpiry {
  readonly #idleMs: number | undefined;
  readonly #usages: () => Iterable<Usage>;
  #timer: NodeJS.Timeout | undefined;

  /** `idleMs` undefined: sessions never expire. */
  constructor(idleMs: number | undefined, usages: () => Iterable<Usage>) {
    this.#idleMs = idleMs;
    this.#usages = usages;
  }

  /** Call after a session was added or used. */
  schedule(): void {
    this.stop();
    const idleMs = this.#idleMs;
    if (idleMs === undefined) return;
    const unused = [...this.#usages()].filter(canExpire);
    if (unused.length === 0) return;
    const dueMs = Math.min(...unused.map(({ touchedMs }) => touchedMs)) + idleMs;
    this.#timer = setTimeout(() => this.#expire(idleMs), Math.max(1, dueMs - performance.now()));
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #expire(idleMs: number): void {
    for (const usage of this.#usages()) {
      const isDue = canExpire(usage) && performance.now() - usage.touchedMs >= idleMs;
      if (isDue) void usage.session.close({ reason: "idle" });
    }
    this.schedule();
  }
}

function canExpire({ session, calls }: Usage): boolean {
  return calls === 0 && session.exit === undefined && session.closeReason === undefined;
}
