/** The last screen of each session that each caller read, so that an answer can show the changes since then. */
import { BoundedMap } from "../../base/bounded-map.ts";
import type { Cursor } from "../../base/cursor.ts";
import { MAX_SEEN_SCREENS } from "../../base/limits.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import type { Session } from "../../session/session.ts";
import type { ScreenView } from "./turn-answer.ts";

export class SeenScreens {
  readonly #seen = new WeakMap<Session, BoundedMap<string, Snapshot>>();

  /** The cursor of the screen that the caller read last; 0 if it has read none. */
  cursorOf(session: Session, caller: string): Cursor {
    return this.#seen.get(session)?.get(caller)?.cursor ?? 0;
  }

  /** Stores `snapshot` as the caller's last screen. Returns the one before, or null. */
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
