/** Which callers have used each session: those that started it, typed into it, read it or waited for it by name. */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../base/limits.ts";
import type { Session } from "../../session/session.ts";
import type { Asker } from "./asker.ts";

export class SessionUsers {
  readonly #users = new WeakMap<Session, BoundedMap<string, true>>();

  note(session: Session, caller: string): void {
    const users = this.#users.get(session) ?? new BoundedMap<string, true>(MAX_CALLERS);
    this.#users.set(session, users);
    users.set(caller, true);
  }

  of(session: Session): readonly string[] {
    return [...(this.#users.get(session)?.keys() ?? [])];
  }

  /** Whether the session is the caller's: it has started it or used it, or the session belongs to nobody. */
  isOwn(session: Session, { caller, owner }: Pick<Asker, "caller" | "owner">): boolean {
    if (session.owner === undefined || this.#users.get(session)?.has(caller)) return true;
    return session.owner.caller === owner.caller && session.owner.project === owner.project;
  }
}
