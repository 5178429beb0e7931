/** The last line of each session, as a list shows it. Most have printed nothing since the last list: theirs is remembered. */

import type { Session } from "../session/session.ts";
import { ALTERNATE_SCREEN_NOTE } from "../text/clean/cleaner.ts";

const LAST_LINE_CHARS = 80;
/** In place of the last line of a program that has no lines. */
const FULL_SCREEN = "[full screen]";

interface Known {
  /** What it was made from: as long as that is the same, so is the line. */
  readonly of: string;
  readonly line: string;
}

export class LastLines {
  readonly #known = new WeakMap<Session, Known>();

  async lineOf(session: Session): Promise<string> {
    const of = printedBy(session);
    const known = this.#known.get(session);
    if (known?.of === of) return known.line;
    const { text } = await session.tail(3, { maxTokens: 1000, fold: false });
    const line = lastLineOf(text);
    // What came while it was read may or may not be in it.
    if (printedBy(session) === of) this.#known.set(session, { of, line });
    return line;
  }
}

/** Where a line is wrapped, and so what a redraw leaves of it, depends on the width. */
function printedBy({ endCursor, size, exit }: Session): string {
  return `${endCursor} ${size.cols}x${size.rows} ${exit !== undefined}`;
}

/** Pure. */
function lastLineOf(text: string): string {
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  const line = last === ALTERNATE_SCREEN_NOTE ? FULL_SCREEN : last;
  return line.length > LAST_LINE_CHARS ? `${line.slice(0, LAST_LINE_CHARS - 1)}…` : line;
}
