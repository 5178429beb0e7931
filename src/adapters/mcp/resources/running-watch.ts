/** Knows which sessions run, and says so when that changes. */
import { setMaxListeners } from "node:events";
import type { SessionService } from "../../../service/session-service.ts";
import { untilExited } from "./watch-session.ts";

interface RunningWatchOptions {
  readonly sessions: SessionService;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

export class RunningWatch {
  readonly #options: RunningWatchOptions;
  #known: ReadonlySet<number> = new Set();

  constructor(options: RunningWatchOptions) {
    this.#options = options;
    // One for each session.
    setMaxListeners(0, options.signal);
  }

  /** Call this when a session may have been started or closed. The end of a program needs no call. */
  async refresh(): Promise<void> {
    const { sessions, signal, onChange } = this.#options;
    if (signal.aborted) return;
    const running = new Set((await sessions.running()).map(({ id }) => id));
    const started = [...running].filter((id) => !this.#known.has(id));
    const isChanged = started.length > 0 || running.size !== this.#known.size;
    this.#known = running;
    for (const id of started) void this.#refreshAtExit(id);
    if (isChanged) onChange();
  }

  async #refreshAtExit(id: number): Promise<void> {
    const { sessions, signal } = this.#options;
    try {
      await untilExited(sessions, id, signal);
    } catch {
      // The session was closed, or the connection ended. The refresh finds out.
    }
    await this.refresh().catch(() => undefined);
  }
}
