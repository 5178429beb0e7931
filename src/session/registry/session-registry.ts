/**
 * All sessions of this server: ids, names, a limit on live sessions, and expiry of idle ones.
 *
 * At the limit a new session is refused: a live session is never ended to make room. A session that has ended stays
 * readable until it is closed, or until too many have ended after it.
 */
import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { DEFAULT_MAX_SESSIONS, MAX_TOMBSTONES } from "../../base/limits.ts";
import { requireInteger } from "../../base/require-integer.ts";
import type { EndReport } from "../../linux/processes/kill-process-tree.ts";
import type { CloseOptions } from "../lifetime.ts";
import type { OpenOptions } from "../open/open-options.ts";
import { openWithKeeper } from "../open/open-session.ts";
import { requireName } from "../open/require-name.ts";
import { takeSessionId, withSessionId } from "../open/session-id.ts";
import type { SessionKeeper } from "../open/session-keeper.ts";
import type { Session } from "../session.ts";
import { IdleExpiry, type Usage } from "./idle-expiry.ts";
import { ambiguous, limitReached, nameTaken, notFound } from "./registry-errors.ts";
import type { RegistryOptions } from "./registry-options.ts";
import { EVERYWHERE, idOf, isInView, projectOf, resolveSession, type Scope } from "./resolve-session.ts";

interface Opening extends Pick<OpenOptions, "name" | "owner"> {
  readonly settled: Deferred<void>;
}

/**
 * Manages many sessions by id or name, with an exact limit on live sessions and expiry of idle ones. A session that has
 * ended stays readable until it is closed, or until 256 later ones have ended.
 */
export class SessionRegistry {
  readonly #options: RegistryOptions;
  readonly #keeper: SessionKeeper | undefined;
  readonly #maxSessions: number;
  readonly #entries = new Map<number, Usage>();
  /** Reserved when `open` is called, so that concurrent calls cannot exceed the limit together. */
  readonly #opening = new Set<Opening>();
  readonly #expiry: IdleExpiry;
  #makeRoom: () => Promise<boolean> = async () => false;
  readonly #onOpened = new Set<(session: Session) => void>();

  /** Where the output of its sessions is kept; undefined if only in memory. */
  get stateDirectory(): string | undefined {
    return this.#options.defaults?.stateDirectory;
  }

  constructor(options: RegistryOptions = {}, keeper?: SessionKeeper) {
    this.#options = options;
    this.#keeper = keeper;
    this.#maxSessions = options.maxSessions ?? DEFAULT_MAX_SESSIONS;
    requireInteger("maxSessions", this.#maxSessions, { min: 1, max: 100_000 });
    if (options.idleMs !== undefined) requireInteger("idleMs", options.idleMs, { min: 1, max: 2 ** 31 - 1 });
    this.#expiry = new IdleExpiry(options.idleMs, () => this.#entries.values());
  }

  /**
   * Starts a session and adds it. Rejects with `SESSION_LIMIT` at the limit, and with `NAME_TAKEN` if a live session
   * of the same project has the name.
   */
  async open(options: OpenOptions): Promise<Session> {
    try {
      // No await between the last check and the reservation.
      while (!this.#hasRoom(options)) {
        if (!(await this.#makeRoom())) throw limitReached(this.#maxSessions, this.list(), options.owner);
      }
    } catch (error) {
      throw withSessionId(error, takeSessionId(this.#keeper));
    }
    const { name, owner } = options;
    const reserved: Opening = { ...(name ? { name } : {}), ...(owner ? { owner } : {}), settled: deferred<void>() };
    this.#opening.add(reserved);
    try {
      const session = await openWithKeeper({ ...this.#options.defaults, ...options }, this.#keeper);
      this.adopt(session);
      for (const listener of this.#onOpened) listener(session);
      return session;
    } finally {
      this.#opening.delete(reserved);
      reserved.settled.resolve();
    }
  }

  /** `makeRoom` is called at the limit. It ends a session that nobody needs, or resolves with false. */
  makeRoomWith(makeRoom: () => Promise<boolean>): void {
    this.#makeRoom = makeRoom;
  }

  /** Calls `listener` with each session that is started from now on, until the returned function is called. */
  onOpened(listener: (session: Session) => void): () => void {
    this.#onOpened.add(listener);
    return () => void this.#onOpened.delete(listener);
  }

  /** Whether a call uses the session now. */
  isInUse(id: number): boolean {
    return (this.#entries.get(id)?.calls ?? 0) > 0;
  }

  /** Adds a session that was opened elsewhere, or restored from another process. Its id must be free. */
  adopt(session: Session): void {
    this.#entries.set(session.id, { session, touchedMs: performance.now(), calls: 0 });
    this.#expiry.schedule();
    void session.exited.then(() => this.#dropOldTombstones());
  }

  /**
   * Finds a session by id or name. If several share a name: the live one, otherwise the latest. `scope` says whose
   * names count; default: those of all projects. Counts as use. Throws `SESSION_NOT_FOUND` or `NAME_AMBIGUOUS`.
   */
  get(key: number | string, scope: Scope = EVERYWHERE): Session {
    return this.#touch(key, scope).session;
  }

  /** Like `get` for several sessions, and none of them expires while `work` runs. */
  async use<T>(keys: readonly (number | string)[], work: (sessions: Session[]) => Promise<T>): Promise<T> {
    const entries = keys.map((key) => this.#touch(key, EVERYWHERE));
    for (const entry of entries) entry.calls += 1;
    try {
      return await work(entries.map(({ session }) => session));
    } finally {
      for (const entry of entries) {
        entry.calls -= 1;
        entry.touchedMs = performance.now();
      }
      this.#expiry.schedule();
    }
  }

  /**
   * Live sessions, plus those that have ended if `ended` is set, by start time. `scope`: only those that it reaches.
   * Does not count as use.
   */
  list({ ended = false, scope = EVERYWHERE }: { readonly ended?: boolean; readonly scope?: Scope } = {}): Session[] {
    // Sorted by id: of two sessions that start at the same time, the first may be ready last.
    const sessions = [...this.#entries.values()].map(({ session }) => session).sort((one, other) => one.id - other.id);
    return sessions.filter((session) => (ended || isAlive(session)) && isInView(session, scope));
  }

  /** Milliseconds since a caller last used the session; 0 while one uses it. Does not count as use. */
  idleMs(key: number | string): number {
    const { calls, touchedMs } = this.#require(key, EVERYWHERE);
    return calls > 0 ? 0 : performance.now() - touchedMs;
  }

  /** How long a session may be idle before it is closed; undefined: forever. */
  get expiryMs(): number | undefined {
    return this.#options.idleMs;
  }

  /** Gives a live session another name. Throws `NAME_TAKEN` as `open` does. */
  rename(key: number | string, name: string, scope: Scope = EVERYWHERE): Session {
    const session = this.get(key, scope);
    requireName(name);
    if (session.name !== name) this.#requireFreeName({ name, owner: session.owner });
    session.rename(name);
    return session;
  }

  /** Ends the session and forgets it, including its output and files. Resolves with the processes that were ended. */
  async close(key: number | string, options: CloseOptions = {}): Promise<EndReport> {
    const session = this.get(key);
    const report = await session.discard(options);
    this.#entries.delete(session.id);
    return report;
  }

  /** Ends the session and keeps its output readable, like that of a session which has ended by itself. */
  async end(key: number | string, options: CloseOptions = {}): Promise<EndReport> {
    return await this.get(key).close(options);
  }

  /** Ends and forgets all sessions concurrently, including those being opened. The registry stays usable. */
  async closeAll(options: CloseOptions = {}): Promise<void> {
    await Promise.all([...this.#opening].map(({ settled }) => settled.promise));
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id, options)));
  }

  /** Like `closeAll`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#expiry.stop();
    await this.closeAll();
  }

  #touch(key: number | string, scope: Scope): Usage {
    const entry = this.#require(key, scope);
    entry.touchedMs = performance.now();
    return entry;
  }

  #require(key: number | string, scope: Scope): Usage {
    // Most turns name their session by id, which needs no search through all sessions.
    const id = idOf(key);
    const known = id === undefined ? undefined : this.#entries.get(id);
    if (known) return known;
    const resolved = resolveSession(this.list({ ended: true }), key, scope);
    const entry = resolved.kind === "found" ? this.#entries.get(resolved.session.id) : undefined;
    if (entry) return entry;
    throw resolved.kind === "ambiguous" ? ambiguous(key, resolved.sessions) : notFound(key, this.list(), scope);
  }

  /** Throws `NAME_TAKEN`. */
  #hasRoom(options: Pick<OpenOptions, "name" | "owner">): boolean {
    this.#requireFreeName(options);
    return this.list().length + this.#opening.size < this.#maxSessions;
  }

  #requireFreeName({
    name,
    owner,
  }: {
    readonly name?: string | undefined;
    readonly owner?: OpenOptions["owner"] | undefined;
  }): void {
    if (name === undefined) return;
    const isSame = (other: Session | Opening) => other.name === name && projectOf(other) === (owner?.project ?? null);
    const taker = [...this.list(), ...this.#opening].find(isSame);
    if (taker) throw nameTaken(name, "id" in taker ? taker.id : undefined);
  }

  #dropOldTombstones(): void {
    const ended = this.list({ ended: true }).filter((session) => !isAlive(session));
    for (const session of ended.slice(0, Math.max(0, ended.length - MAX_TOMBSTONES))) {
      this.#entries.delete(session.id);
      // The session may have left processes running. They are ended with it.
      void session.discard({ force: true });
    }
  }
}

/** A slot becomes free as soon as the program has ended. */
function isAlive(session: Session): boolean {
  return session.exit === undefined;
}
