/** `limpet screen --watch`: shows a session's screen as it changes. Sends no keys. */

import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import type { SessionIdentity, SessionService } from "../../service/session-service.ts";
import { UserTerminal } from "../attach/user-terminal.ts";
import { describeName } from "../print/describe-session.ts";
import { shorten } from "../print/table.ts";
import { CLEAR_SCREEN, ENTER_ALTERNATE_SCREEN, HIDE_CARET, SHOW_CARET } from "../print/terminal-sequences.ts";
import { visibleLine } from "../print/visible.ts";
import { changesBetween } from "../top/top-view.ts";
import { colouredRow } from "./coloured-rows.ts";
import { type FollowedScreen, followScreen } from "./follow-screen.ts";

/** Ctrl+C, as a byte and in the key protocols; q, as in pagers. */
const LEAVE = /\x03|q|\x1b\[99;5u|\x1b\[27;5;99~/;

/** The last screen; `isLeft` if the person left before the program ended. */
export interface WatchEnd {
  readonly last: FollowedScreen | undefined;
  readonly isLeft: boolean;
}

/** Runs until the person leaves or the program ends. Always restores the terminal. */
export async function watchScreen(sessions: SessionService, id: number, caller: string): Promise<WatchEnd> {
  const leaving = new AbortController();
  const { signal } = leaving;
  let last: FollowedScreen | undefined;
  let drawn: readonly string[] = [];
  const draw = () => {
    if (!last) return;
    const frame = frameOf(last.snapshot, last.session, terminal.size);
    terminal.write(`${HIDE_CARET}${changesBetween(drawn, frame.lines)}${frame.caret}`);
    drawn = frame.lines;
  };
  const terminal = UserTerminal.take({
    onInput: (bytes) => void (LEAVE.test(Buffer.from(bytes).toString("latin1")) && leaving.abort()),
    onResize: () => {
      drawn = [];
      terminal.write(CLEAR_SCREEN);
      draw();
    },
  });
  try {
    terminal.write(ENTER_ALTERNATE_SCREEN + CLEAR_SCREEN);
    for await (const seen of followScreen(sessions, id, { caller, cells: true, signal })) {
      last = seen;
      draw();
    }
    return { last, isLeft: false };
  } catch (error) {
    if (signal.aborted) return { last, isLeft: true };
    throw error;
  } finally {
    terminal.giveBack();
  }
}

interface Frame {
  readonly lines: readonly string[];
  /** The sequence that moves the caret to the program's position. */
  readonly caret: string;
}

/**
 * Pure. Shows the part around the caret if the screen is larger than the terminal, and a status line below if it is
 * smaller.
 */
export function frameOf(snapshot: Snapshot, session: Pick<SessionIdentity, "id" | "name">, own: TerminalSize): Frame {
  const { size, caret, cells = [] } = snapshot;
  const top = Math.max(0, Math.min(caret.row - own.rows + 1, size.rows - own.rows));
  const rows = cells.slice(top, top + own.rows).map((row) => colouredRow(row, own.cols));
  const footer = visibleLine(`${describeName(session)}, ${size.cols}x${size.rows}. Ctrl+C leaves.`);
  const below = Array.from({ length: Math.max(0, own.rows - rows.length) }, () => "");
  if (below.length > 0) below[below.length - 1] = `\x1b[2m${shorten(footer, own.cols)}`;
  const isShown = caret.isVisible && caret.col < own.cols;
  return {
    lines: [...rows, ...below],
    caret: isShown ? `\x1b[${caret.row - top + 1};${caret.col + 1}H${SHOW_CARET}` : "",
  };
}
