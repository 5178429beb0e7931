/**
 * Sends log messages when a session ends or starts to wait for input while no call of the client reports it. Watches
 * sessions only if the client has enabled messages of that level, because watching costs time.
 */
import { setMaxListeners } from "node:events";
import { describeExit } from "../../../base/exit.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { SessionKey, SessionName } from "../../../service/listing/session-name.ts";
import type { SessionService } from "../../../service/session-service.ts";
import { describeSession } from "../../../tools/answer/describe-result.ts";
import type { Message } from "../read-message.ts";
import { untilExited, watchSession } from "../resources/watch-session.ts";

/** The levels of MCP that include notices. */
const LEVELS: readonly unknown[] = ["debug", "info", "notice"];

interface SessionNotificationsOptions {
  readonly sessions: SessionService;
  readonly notify: (text: string) => void;
}

export class SessionNotifications {
  readonly #options: SessionNotificationsOptions;
  readonly #connection = new AbortController();
  readonly #watched = new Set<SessionKey>();
  #isEnabled = false;
  #calls = 0;

  constructor(options: SessionNotificationsOptions) {
    this.#options = options;
    // Some for each session.
    setMaxListeners(0, this.#connection.signal);
  }

  /** Call this with every message of the client. */
  note({ method, params }: Message): void {
    if (method !== "logging/setLevel") return;
    this.#isEnabled = LEVELS.includes(params?.["level"]);
    void this.watchNew().catch(() => undefined);
  }

  /** Sends no messages about input during `call`: its answer reports that. */
  async during<T>(call: Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      return await call;
    } finally {
      this.#calls -= 1;
    }
  }

  /** Call this when a session may have been started. */
  async watchNew(): Promise<void> {
    if (!this.#isEnabled || this.#connection.signal.aborted) return;
    for (const session of await this.#options.sessions.running()) {
      const key = keyOf(session);
      if (this.#watched.has(key)) continue;
      this.#watched.add(key);
      // The session was closed, or the client has disconnected.
      void this.#watch(session)
        .catch(() => undefined)
        .finally(() => this.#watched.delete(key));
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
      const exit = await untilExited(this.#options.sessions, keyOf(session), signal);
      if (this.#isEnabled) this.#options.notify(`Session ${describeSession(session)} ${describeExit(exit)}.`);
    } finally {
      ending.abort();
      await asking;
    }
  }

  async #watchInput(session: SessionName, signal: AbortSignal): Promise<void> {
    for (let isOpen = true; isOpen; ) {
      const { result } = await watchSession(this.#options.sessions, { key: keyOf(session), wait: {}, signal });
      if (result?.reason === "exited") return;
      if (result?.reason !== "input") continue;
      if (this.#calls === 0 && this.#isEnabled) {
        this.#options.notify(`Session ${describeSession(session)} waits for input: ${result.waitingFor}.`);
      }
      isOpen = await this.#printsMore(keyOf(session), { from: result.cursor, signal });
    }
  }

  /** A program that waits for another input has printed something before. */
  async #printsMore(
    key: SessionKey,
    options: { readonly from: number; readonly signal: AbortSignal },
  ): Promise<boolean> {
    for await (const _ of this.#options.sessions.output(key, options)) return true;
    return false;
  }
}
