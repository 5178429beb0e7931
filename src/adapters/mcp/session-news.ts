/**
 * Tells a client, as log messages, that a session has ended or begins to wait for input, when no call of its own would tell it.
 * Only a client that has asked for messages of that level is told: nobody else pays for the looking.
 */
import { setMaxListeners } from "node:events";
import { describeExit } from "../../base/exit.ts";
import type { SessionName, SessionService } from "../../service/session-service.ts";
import { describeSession } from "../../tools/answer/describe-result.ts";
import type { Message } from "./read-message.ts";
import { untilExited, watchSession } from "./watch-session.ts";

/** The levels of MCP that let a notice through. */
const LEVELS: readonly unknown[] = ["debug", "info", "notice"];

interface SessionNewsOptions {
  readonly sessions: SessionService;
  readonly tell: (text: string) => void;
}

export class SessionNews {
  readonly #options: SessionNewsOptions;
  readonly #connection = new AbortController();
  readonly #watched = new Set<number>();
  #isWanted = false;
  #calls = 0;

  constructor(options: SessionNewsOptions) {
    this.#options = options;
    // Some for each session.
    setMaxListeners(0, this.#connection.signal);
  }

  /** To be shown every message of the client. */
  note({ method, params }: Message): void {
    if (method !== "logging/setLevel") return;
    this.#isWanted = LEVELS.includes(params?.["level"]);
    void this.look().catch(() => undefined);
  }

  /** For as long as a tool works: what it waits for is told by its answer. */
  async during<T>(call: Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      return await call;
    } finally {
      this.#calls -= 1;
    }
  }

  /** To be called whenever a session may have been started. */
  async look(): Promise<void> {
    if (!this.#isWanted || this.#connection.signal.aborted) return;
    for (const session of await this.#options.sessions.running()) {
      if (this.#watched.has(session.id)) continue;
      this.#watched.add(session.id);
      // A session that is closed, or a client that is gone, has no more news.
      void this.#watch(session)
        .catch(() => undefined)
        .finally(() => this.#watched.delete(session.id));
    }
  }

  close(): void {
    this.#connection.abort();
  }

  async #watch(session: SessionName): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#connection.signal, ending.signal]);
    const asking = this.#watchInput(session, signal).catch(() => undefined);
    try {
      const exit = await untilExited(this.#options.sessions, session.id, signal);
      if (this.#isWanted) this.#options.tell(`Session ${describeSession(session)} ${describeExit(exit)}.`);
    } finally {
      ending.abort();
      await asking;
    }
  }

  async #watchInput(session: SessionName, signal: AbortSignal): Promise<void> {
    for (let isOpen = true; isOpen; ) {
      const { result } = await watchSession(this.#options.sessions, { key: session.id, wait: {}, signal });
      if (result?.reason === "exited") return;
      if (result?.reason !== "input") continue;
      if (this.#calls === 0 && this.#isWanted) {
        this.#options.tell(`Session ${describeSession(session)} waits for input: ${result.waitingFor}.`);
      }
      isOpen = await this.#printsMore(session.id, { from: result.cursor, signal });
    }
  }

  /** It waits for the same until something has happened, which shows by output. */
  async #printsMore(id: number, options: { readonly from: number; readonly signal: AbortSignal }): Promise<boolean> {
    for await (const _ of this.#options.sessions.output(id, options)) return true;
    return false;
  }
}
