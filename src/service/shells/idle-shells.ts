/**
 * Ends idle shells that nobody needs: some time after their client has gone, and at once when a new session needs the
 * room. Also ends sessions that were started to end some time after their client has gone. A shell with a job in the
 * background, a person that holds or watches it, or a call on it is never ended.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../base/limits.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { Holds } from "../control/holds.ts";
import type { SessionUsers } from "../owners/session-users.ts";
import type { Starts } from "../starts.ts";
import type { Shells } from "./shells.ts";

/** A shell at its prompt ends in 10 ms. */
const GRACE_MS = 400;

interface IdleShellsParts {
  readonly registry: SessionRegistry;
  readonly shells: Shells;
  readonly holds: Holds;
  readonly users: SessionUsers;
  readonly starts: Pick<Starts, "endsWhenLeft">;
}

export class IdleShells {
  readonly #parts: IdleShellsParts;
  readonly #connected = new Set<string>();
  /** By client, also of those that have gone and may come back. */
  readonly #callers = new BoundedMap<string, Set<string>>(MAX_CALLERS);
  /** Since when no client of its callers has been connected; times of `performance.now()`. */
  readonly #leftMs = new WeakMap<Session, number>();
  readonly #watchers = new WeakMap<Session, number>();

  constructor(parts: IdleShellsParts) {
    this.#parts = parts;
    parts.registry.makeRoomWith(() => this.endOne());
  }

  clientCame(client: string): void {
    this.#connected.add(client);
  }

  /** The client asks for this caller. */
  note(client: string, caller: string): void {
    const callers = this.#callers.get(client) ?? new Set<string>();
    this.#callers.set(client, callers.add(caller));
  }

  clientGone(client: string): void {
    this.#connected.delete(client);
    for (const session of this.#parts.registry.list()) {
      if (!this.#isPresent(session)) this.#leftMs.set(session, this.#leftMs.get(session) ?? performance.now());
    }
  }

  /** Somebody follows the output of the session from now on. Returns a function that ends this. */
  watch(session: Session): () => void {
    const add = (count: number) => this.#watchers.set(session, (this.#watchers.get(session) ?? 0) + count);
    add(1);
    return () => void add(-1);
  }

  /** Ends the shells that have been left and idle for this long. Returns whether others were left. */
  async endLeft(afterMs: number): Promise<boolean> {
    const { registry, shells, starts } = this.#parts;
    const left = registry.list().filter((session) => shells.has(session) && this.#isLeft(session));
    const isDue = (session: Session) => this.#unusedMs(session) >= afterMs;
    await Promise.all(left.filter(isDue).map((session) => this.#end(session, "left")));
    const bound = registry.list().filter((session) => starts.endsWhenLeft(session) && this.#isLeft(session));
    const isOver = (session: Session) => this.#goneMs(session) >= afterMs && !this.#isUsed(session);
    await Promise.all(bound.filter(isOver).map((session) => session.close({ reason: "left" })));
    return [...left, ...bound].some(({ exit }) => exit === undefined);
  }

  /** Ends one idle shell: first those whose client has gone, then the longest unused. False if there is none. */
  async endOne(): Promise<boolean> {
    const spare = this.#parts.registry.list().filter((session) => this.#isSpare(session));
    const rank = (session: Session) => (this.#isLeft(session) ? Number.MAX_SAFE_INTEGER : 0) + this.#unusedMs(session);
    for (const session of spare.sort((one, other) => rank(other) - rank(one))) {
      if (await this.#end(session, "room")) return true;
    }
    return false;
  }

  async #end(session: Session, reason: "left" | "room"): Promise<boolean> {
    if (!this.#isSpare(session) || (await this.#parts.shells.jobs(session)).length > 0) return false;
    // Somebody may have used it meanwhile.
    if (!this.#isSpare(session)) return false;
    await session.close({ reason, graceMs: GRACE_MS });
    return session.exit !== undefined;
  }

  #isUsed(session: Session): boolean {
    const { registry, holds } = this.#parts;
    return registry.isInUse(session.id) || (this.#watchers.get(session) ?? 0) > 0 || holds.of(session) !== null;
  }

  #isSpare(session: Session): boolean {
    return !this.#isUsed(session) && session.closeReason === undefined && internalsOf(session).isIdle;
  }

  #isLeft(session: Session): boolean {
    if (this.#leftMs.get(session) === undefined) return false;
    if (this.#isPresent(session)) this.#leftMs.delete(session);
    return this.#leftMs.has(session);
  }

  /** Whether a client of its users is connected. True for a session that nobody has used. */
  #isPresent(session: Session): boolean {
    const users = this.#parts.users.of(session);
    const present = [...this.#connected].some((client) => {
      const callers = this.#callers.get(client);
      return users.some((user) => callers?.has(user));
    });
    return present || users.length === 0;
  }

  #goneMs(session: Session): number {
    const leftMs = this.#leftMs.get(session);
    return leftMs === undefined ? Number.POSITIVE_INFINITY : performance.now() - leftMs;
  }

  #unusedMs(session: Session): number {
    return Math.min(this.#goneMs(session), session.silentMs, this.#parts.registry.idleMs(session.id));
  }
}
