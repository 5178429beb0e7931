/** What a person wrote for the agents on releasing a session. Each caller gets it once. */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_TYPING_CALLERS } from "../../base/limits.ts";
import type { Session } from "../../session/session.ts";

interface Left {
  readonly note: string;
  readonly reportedTo: BoundedMap<string, true>;
}

export class ReleaseNotes {
  readonly #left = new WeakMap<Session, Left>();

  leave(session: Session, note: string): void {
    this.#left.set(session, { note, reportedTo: new BoundedMap(MAX_TYPING_CALLERS) });
  }

  /** Null if there is none, or the caller knows it. */
  takeFor(session: Session, caller: string): string | null {
    const left = this.#left.get(session);
    if (!left || left.reportedTo.has(caller)) return null;
    left.reportedTo.set(caller, true);
    return left.note;
  }

  /** The caller may not have received the answer with the note. */
  restore(session: Session, caller: string): void {
    this.#left.get(session)?.reportedTo.delete(caller);
  }
}
