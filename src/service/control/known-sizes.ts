/** The size of each session's terminal as each caller knows it, so that an answer can report a change by others. */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_TYPING_CALLERS } from "../../base/limits.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Session } from "../../session/session.ts";

export class KnownSizes {
  readonly #known = new WeakMap<Session, BoundedMap<string, TerminalSize>>();

  /** Null if the caller knows none. */
  knownBy(session: Session, caller: string): TerminalSize | null {
    return this.#known.get(session)?.get(caller) ?? null;
  }

  /** The caller knows the present size, or this one: it has set it, or it did not receive the answer about another. */
  note(session: Session, caller: string, size: TerminalSize = session.size): void {
    const known = this.#known.get(session) ?? new BoundedMap<string, TerminalSize>(MAX_TYPING_CALLERS);
    this.#known.set(session, known);
    known.set(caller, size);
  }

  /** The present size if it differs from the one that the caller knows; then the caller knows it. */
  takeChanged(session: Session, caller: string): TerminalSize | null {
    const [known, { size, tty }] = [this.knownBy(session, caller), session];
    this.note(session, caller);
    const isChanged = tty && known !== null && (known.cols !== size.cols || known.rows !== size.rows);
    return isChanged ? size : null;
  }
}
