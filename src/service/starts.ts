/** Starts sessions. With `reuse`, returns the session of that name if it runs or is being started. */

import { MAX_GRACE_MS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { answerQueries } from "../screen/answer-queries.ts";
import type { Session } from "../session/session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { nameOf } from "./listing.ts";
import type { SessionName } from "./session-service.ts";
import type { StartRequest } from "./turn.ts";

interface StartedSession extends SessionName {
  /** The session was running already. */
  readonly isReused: boolean;
}

type FreshStart = Omit<StartRequest, "reuse">;

export class Starts {
  readonly #registry: SessionRegistry;
  /** By name: starts with `reuse` that other callers can share. */
  readonly #starting = new Map<string, Promise<StartedSession>>();

  constructor(registry: SessionRegistry) {
    this.#registry = registry;
  }

  async start({ reuse = false, ...options }: StartRequest): Promise<StartedSession> {
    const { name } = options;
    if (!reuse || name === undefined) return await this.#open(options);
    // A caller that asks during the start shares the session, unless the start fails.
    await this.#starting.get(name)?.catch(() => undefined);
    const running = this.#registry.list().find((session) => session.name === name && !isClosing(session));
    if (running) return { ...nameOf(this.#registry.get(running.id)), isReused: true };
    if (this.#starting.has(name)) return await this.start({ reuse, ...options });
    const opening = this.#openAfter(name, options);
    this.#starting.set(name, opening);
    try {
      return await opening;
    } finally {
      this.#starting.delete(name);
    }
  }

  /** A session that is being closed cannot be reused, but has the name until it has ended. */
  async #openAfter(name: string, options: FreshStart): Promise<StartedSession> {
    const closing = this.#registry.list().find((session) => session.name === name);
    // close() also resolves if the program could not be ended. The maximum grace time does not shorten the running
    // close.
    if (closing) await Promise.race([closing.exited, closing.close({ graceMs: MAX_GRACE_MS })]);
    return await this.#open(options);
  }

  async #open({ answerQueries: answers = false, ...options }: FreshStart): Promise<StartedSession> {
    if (answers && options.tty === false) {
      throw new LimpetError("BAD_OPTION", "answerQueries needs a terminal, but tty is false. Omit one of them.");
    }
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const session = await this.#registry.open(given as unknown as Parameters<SessionRegistry["open"]>[0]);
    // From the first byte, because the program may have sent a query already. A failure does not affect the session.
    if (answers) void answerQueries(session, { from: 0 }).catch(() => undefined);
    return { ...nameOf(session), isReused: false };
  }
}

function isClosing({ closeReason }: Session): boolean {
  return closeReason !== undefined;
}
