/** Closes the sessions that no caller has touched for long. One timer for all: it rings when the first of them may be due. */
import type { Session } from "./session.ts";

/** A session, and when it was last used. */
export interface Usage {
  readonly session: Session;
  /** On the clock of `performance.now()`, which no change of the date moves. */
  touchedMs: number;
  /** Calls that are using it now; meanwhile it does not expire. */
  calls: number;
}

export class IdleExpiry {
  readonly #idleMs: number | undefined;
  readonly #usages: () => Iterable<Usage>;
  #timer: NodeJS.Timeout | undefined;

  /** Undefined: never. */
  constructor(idleMs: number | undefined, usages: () => Iterable<Usage>) {
    this.#idleMs = idleMs;
    this.#usages = usages;
  }

  /** Call when a session came, or was used. */
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
