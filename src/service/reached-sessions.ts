/** The sessions that one client reaches from its project, and its use of them. */
import type { Scope } from "../session/registry/resolve-session.ts";
import type { SessionRegistry } from "../session/registry/session-registry.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import { nameOf } from "./listing/listing.ts";
import type { SessionKey, SessionName } from "./listing/session-name.ts";
import { type Asker, askerOf } from "./owners/asker.ts";
import type { IdleShells } from "./shells/idle-shells.ts";

interface Reach {
  readonly registry: SessionRegistry;
  readonly idleShells: IdleShells;
  readonly scope: Scope;
  readonly client: string | undefined;
}

export class ReachedSessions {
  readonly #reach: Reach;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** Throws `SESSION_NOT_FOUND` or `NAME_AMBIGUOUS`. */
  get(key: SessionKey): Session {
    return this.#reach.registry.get(key, this.#reach.scope);
  }

  /** Of any project, also if it has ended. Does not count as use. */
  known(id: number): Session | undefined {
    return this.#reach.registry.list({ ended: true }).find((session) => session.id === id);
  }

  running(): readonly Session[] {
    return this.#reach.registry.list({ scope: this.#reach.scope });
  }

  /** Sessions that run, without idle shells. */
  working(): readonly SessionName[] {
    const working = this.running().filter((session) => !internalsOf(session).isIdle);
    return working.map(nameOf);
  }

  /** Who asks, as the client calls it. */
  asker(caller: string): Asker {
    const asker = askerOf(caller, this.#reach.scope, this.#reach.client);
    if (asker.client !== undefined) this.#reach.idleShells.note(asker.client, asker.caller);
    return asker;
  }

  /** Keeps the session from expiring during `work`. */
  async use<T>(key: SessionKey, work: (session: Session) => Promise<T>): Promise<T> {
    const { id } = this.get(key);
    return await this.#reach.registry.use([id], ([session]) => work(session as Session));
  }

  /** An idle shell that somebody watches is not ended. */
  async *watch<T>(key: SessionKey, stream: (session: Session) => AsyncIterable<T>): AsyncGenerator<T, void> {
    const session = this.get(key);
    const stop = this.#reach.idleShells.watch(session);
    try {
      yield* stream(session);
    } finally {
      stop();
    }
  }
}
