/** The last line of each session, for lists. Cached, because most sessions have printed nothing since the last list. */

import type { Session } from "../../session/session.ts";
import { ALTERNATE_SCREEN_NOTE } from "../../text/mark.ts";

const LAST_LINE_CHARS = 80;
/** Shown instead of the last line of a full-screen program. */
const FULL_SCREEN = "[full screen]";

interface Known {
  /** The state that the line was made from. The line is valid while the state is the same. */
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
    // Output that came during the read may or may not be in the line.
    if (printedBy(session) === of) this.#known.set(session, { of, line });
    return line;
  }
}

/** The size matters because it decides where lines wrap, and so what a redraw leaves. */
function printedBy({ endCursor, size, exit }: Session): string {
  return `${endCursor} ${size.cols}x${size.rows} ${exit !== undefined}`;
}

/** Pure. */
function lastLineOf(text: string): string {
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  const line = last === ALTERNATE_SCREEN_NOTE ? FULL_SCREEN : last;
  return line.length > LAST_LINE_CHARS ? `${line.slice(0, LAST_LINE_CHARS - 1)}…` : line;
}
