/** What each caller has last seen of each screen, so that it can be told what has changed since. */
import type { Cursor } from "../base/cursor.ts";
import { MAX_SEEN_SCREENS } from "../base/limits.ts";
import type { Snapshot } from "../screen/snapshot.ts";
import type { Session } from "../session/session.ts";

export class SeenScreens {
  readonly #seen = new WeakMap<Session, Map<string, Snapshot>>();

  /** Up to where it has seen what was printed. */
  cursorOf(session: Session, caller: string): Cursor {
    return this.#seen.get(session)?.get(caller)?.cursor ?? 0;
  }

  /** What it saw before, if anything; from now on that is `snapshot`. */
  swap(session: Session, caller: string, snapshot: Snapshot): Snapshot | null {
    const seen = this.#seen.get(session) ?? new Map<string, Snapshot>();
    this.#seen.set(session, seen);
    const before = seen.get(caller) ?? null;
    seen.delete(caller);
    const { cells: _cells, ...text } = snapshot;
    seen.set(caller, { ...text, scrollback: [] });
    const [oldest] = seen.keys();
    if (seen.size > MAX_SEEN_SCREENS && oldest !== undefined) seen.delete(oldest);
    return before;
  }
}
