/**
 * Starts sessions. With `reuse`, returns the session of that name in the caller's project if it runs or is being
 * started.
 */

import { MAX_GRACE_MS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import { narrowLimits, parseLimits, type SessionLimits } from "../base/session-limits.ts";
import { narrowSandbox } from "../safety/sandbox/narrow-sandbox.ts";
import { answerQueries } from "../screen/answer-queries.ts";
import { answerWhenSafe } from "../screen/answer-when-safe.ts";
import type { OpenOptions } from "../session/open/open-options.ts";
import { projectOf, type SessionOwner } from "../session/registry/resolve-session.ts";
import type { SessionRegistry } from "../session/registry/session-registry.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import { nameOf } from "./listing/listing.ts";
import type { SessionName } from "./listing/session-name.ts";
import type { Asker } from "./owners/asker.ts";
import type { Sandboxes } from "./sandbox/sandboxes.ts";
import { secretOptions } from "./secrets/secret-options.ts";
import type { Secrets } from "./secrets/secrets.ts";
import type { StartRequest } from "./turn/start-request.ts";
import type { TurnRequest } from "./turn/turn-request.ts";

interface StartedSession extends SessionName {
  /** The session was running already. */
  readonly isReused: boolean;
}

interface FreshStart extends Omit<StartRequest, "reuse" | "sandbox" | "limits"> {
  readonly owner: SessionOwner;
  readonly limits: SessionLimits | undefined;
  readonly sandbox: SandboxRequest | undefined;
}

/** The most that the programs of a turn may do and use. */
export type Ceiling = Pick<TurnRequest, "within" | "limits">;

export class Starts {
  readonly #registry: SessionRegistry;
  readonly #sandboxes: Sandboxes;
  readonly #secrets: Secrets | undefined;
  /** By project and name: starts with `reuse` that other callers can share. */
  readonly #starting = new Map<string, Promise<StartedSession>>();
  readonly #endWhenLeft = new WeakSet<Session>();

  constructor(registry: SessionRegistry, sandboxes: Sandboxes, secrets?: Secrets) {
    this.#registry = registry;
    this.#sandboxes = sandboxes;
    this.#secrets = secrets;
  }

  /** The session was started to end some time after its clients have gone. */
  endsWhenLeft(session: Session): boolean {
    return this.#endWhenLeft.has(session);
  }

  /** `most`: the most that the program may do and use. */
  async start(request: StartRequest, asker: Pick<Asker, "owner">, most: Ceiling = {}): Promise<StartedSession> {
    const { reuse = false, ...options } = request;
    const { name } = options;
    const { owner } = asker;
    const fresh = {
      ...options,
      owner,
      sandbox: narrowSandbox(most.within, options.sandbox),
      limits: narrowLimits(most.limits, parseLimits(options.limits ?? {})),
    };
    if (!reuse || name === undefined) return await this.#open(fresh);
    const key = `${owner.project}\0${name}`;
    // A caller that asks during the start shares the session, unless the start fails.
    await this.#starting.get(key)?.catch(() => undefined);
    const running = this.#named(name, owner).find((session) => !isClosing(session));
    if (running) return { ...nameOf(this.#registry.get(running.id)), isReused: true };
    if (this.#starting.has(key)) return await this.start(request, asker, most);
    const opening = this.#openAfter(name, fresh);
    this.#starting.set(key, opening);
    try {
      return await opening;
    } finally {
      this.#starting.delete(key);
    }
  }

  /** Live sessions of that name in the project. */
  #named(name: string, { project }: SessionOwner): readonly Session[] {
    return this.#registry.list().filter((session) => session.name === name && projectOf(session) === project);
  }

  /** A session that is being closed cannot be reused, but has the name until it has ended. */
  async #openAfter(name: string, options: FreshStart): Promise<StartedSession> {
    const [closing] = this.#named(name, options.owner);
    // close() also resolves if the program could not be ended. The maximum grace time does not shorten the running
    // close.
    if (closing) await Promise.race([closing.exited, closing.close({ graceMs: MAX_GRACE_MS })]);
    return await this.#open(options);
  }

  async #open(fresh: FreshStart): Promise<StartedSession> {
    const { answerQueries: answers, endsWhenLeft = false, copy, sandbox, ...options } = fresh;
    if (answers && options.tty === false) {
      throw new LimpetError("BAD_OPTION", "answerQueries needs a terminal, but tty is false. Omit one of them.");
    }
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const opened = { ...given, ...(await secretOptions(this.#secrets, fresh)) };
    const session = await this.#sandboxes.open(opened as unknown as OpenOptions, sandbox);
    if (endsWhenLeft) this.#endWhenLeft.add(session);
    internalsOf(session).isCopied = copy;
    // From the first byte, because the program may have sent a query already. A failure does not affect the session.
    if (answers) void answerQueries(session, { from: 0 }).catch(() => undefined);
    else if (answers === undefined && session.tty) void answerWhenSafe(session).catch(() => undefined);
    return { ...nameOf(session), isReused: false };
  }
}

function isClosing({ closeReason }: Session): boolean {
  return closeReason !== undefined;
}
