/** What each caller has last seen of each screen, so that an answer can show what changed since. */
import { BoundedMap } from "../base/bounded-map.ts";
import type { Cursor } from "../base/cursor.ts";
import { MAX_SEEN_SCREENS } from "../base/limits.ts";
import type { Snapshot } from "../screen/snapshot.ts";
import type { Session } from "../session/session.ts";
import type { ScreenView } from "./turn.ts";

export class SeenScreens {
  readonly #seen = new WeakMap<Session, BoundedMap<string, Snapshot>>();

  /** Up to where it has seen what was printed. */
  cursorOf(session: Session, caller: string): Cursor {
    return this.#seen.get(session)?.get(caller)?.cursor ?? 0;
  }

  /** Returns what the caller saw before, if anything; from now on that is `snapshot`. */
  swap(session: Session, caller: string, snapshot: Snapshot): Snapshot | null {
    const seen = this.#seen.get(session) ?? new BoundedMap<string, Snapshot>(MAX_SEEN_SCREENS);
    this.#seen.set(session, seen);
    const before = seen.get(caller) ?? null;
    const { cells: _cells, ...text } = snapshot;
    seen.set(caller, { ...text, scrollback: [] });
    return before;
  }

  /** The caller never received this view: it is as if it had last seen what it saw before. */
  restore(session: Session, caller: string, { snapshot, before }: Pick<ScreenView, "snapshot" | "before">): void {
    const seen = this.#seen.get(session);
    if (seen?.get(caller)?.cursor !== snapshot.cursor) return;
    if (before) seen.set(caller, before);
    else seen.delete(caller);
  }
}
