/** Tracks which sessions run, and reports changes. */
import { setMaxListeners } from "node:events";
import { HOST_MAX_SESSIONS } from "../../../base/limits.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { SessionKey } from "../../../service/listing/session-name.ts";
import type { SessionService } from "../../../service/session-service.ts";
import { untilExited } from "./watch-session.ts";

/**
 * The first call sends a request at once. Calls that follow within this time share the next request, because a request
 * costs as much as a small call.
 */
const SOON_MS = 50;
/**
 * As many as a host can run. In a fleet, the end of the others is noticed at the next call, or when one that is watched
 * has ended.
 */
const MAX_WATCHED = HOST_MAX_SESSIONS;

interface RunningWatchOptions {
  readonly sessions: SessionService;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

export class RunningWatch {
  readonly #options: RunningWatchOptions;
  #known: ReadonlySet<SessionKey> = new Set();
  #watched = 0;
  /** Running sessions that are or were watched. A watch that has failed is not tried again. */
  #tried: ReadonlySet<SessionKey> = new Set();
  #timer: NodeJS.Timeout | undefined;
  /** When the last request was sent, on the clock of `performance.now()`. */
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(options: RunningWatchOptions) {
    this.#options = options;
    // One for each session.
    setMaxListeners(0, options.signal);
  }

  /** Call this when a session may have been started or closed. The end of a program needs no call. */
  refreshSoon(): void {
    if (this.#timer) return;
    const waitMs = this.#askedMs + SOON_MS - performance.now();
    if (waitMs <= 0) this.#ask();
    else this.#timer = setTimeout(() => this.#ask(), waitMs).unref();
  }

  #ask(): void {
    this.#timer = undefined;
    this.#askedMs = performance.now();
    void this.#refresh().catch(() => undefined);
  }

  async #refresh(): Promise<void> {
    const { sessions, signal, onChange } = this.#options;
    if (signal.aborted) return;
    const running = new Set((await sessions.running()).map(keyOf));
    const isChanged = running.size !== this.#known.size || [...running].some((key) => !this.#known.has(key));
    this.#known = running;
    const untried = [...running].filter((key) => !this.#tried.has(key)).slice(0, MAX_WATCHED - this.#watched);
    this.#tried = new Set([...[...this.#tried].filter((key) => running.has(key)), ...untried]);
    for (const key of untried) void this.#refreshAtExit(key);
    if (isChanged) onChange();
  }

  async #refreshAtExit(key: SessionKey): Promise<void> {
    const { sessions, signal } = this.#options;
    this.#watched += 1;
    try {
      await untilExited(sessions, key, signal);
    } catch {
      // The session was closed, or the connection ended. The refresh finds out.
    }
    this.#watched -= 1;
    // Many may end at once.
    this.refreshSoon();
  }
}
