/**
 * What a person sees at once on attaching. A short output is played again as it was. Of a long one, the screen is drawn
 * and the modes are set as they are, however long ago the program asked for them; above it are the latest lines, to
 * scroll back to.
 */

import { randomUUID } from "node:crypto";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { SessionService } from "../../service/session-service.ts";
import { readScreen } from "../../service/simple-turns.ts";
import type { ScreenView } from "../../service/turn.ts";
import { RESET_MODES } from "../../session/modes/reset-sequences.ts";
import { screenSwitch } from "../../text/escape/screen-switch.ts";
import { tokensOf } from "../../text/escape/tokens-of.ts";
import { DrawingFilter } from "../print/drawing-filter.ts";
import { ownTerminalSize } from "../print/own-terminal-size.ts";
import { BELL, CLEAR_SCREEN, ENTER_ALTERNATE_SCREEN } from "../print/terminal-sequences.ts";
import { colouredRow } from "../view/coloured-rows.ts";
import { setModes } from "./set-modes.ts";
import { sizeForSession } from "./user-terminal.ts";

/** A few screens; more would only scroll by. */
const REPLAYED_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const NOTHING: Repaint = { drawing: "", cursor: 0 };

export interface Repaint {
  /** For the person's terminal: text, and sequences that draw. */
  readonly drawing: string;
  /** Where the live output begins. */
  readonly cursor: number;
}

export async function repaintOf(sessions: SessionService, id: number, signal: AbortSignal): Promise<Repaint> {
  const { outputBytes, size } = await sessions.find(id);
  const from = Math.max(0, outputBytes - REPLAYED_BYTES);
  if (from === 0 || size === null) return await replayed(sessions, id, { from, to: outputBytes, signal });
  const screen = await readScreen(sessions, id, { caller: `attach ${randomUUID()}`, cells: true });
  // Up to the snapshot: what comes later is live output.
  const to = screen.snapshot.cursor;
  const above = screen.snapshot.isAlternate ? NOTHING : await replayed(sessions, id, { from, to, signal });
  return { drawing: above.drawing + paint(screen, sizeForSession()), cursor: to };
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal;
}

async function replayed(sessions: SessionService, id: number, { from, to, signal }: Part): Promise<Repaint> {
  const parts: Uint8Array[] = [];
  let cursor = from;
  if (to > from) {
    for await (const page of sessions.output(id, { from, signal })) {
      parts.push(page.bytes.subarray(0, page.bytes.length - Math.max(0, page.next - to)));
      cursor = Math.min(page.next, to);
      if (cursor >= to) break;
    }
  }
  const tail = Buffer.concat(parts);
  const start = from === 0 ? 0 : startOf(tail);
  return { drawing: emptyScreen() + withoutBells(tail.subarray(start)), cursor };
}

/** Nothing rings a second time. */
function withoutBells(output: Uint8Array): string {
  const filter = new DrawingFilter({ passing: "terminal", size: ownTerminalSize });
  return filter.push(output).replaceAll(BELL, "");
}

/**
 * What the person had on it is moved to what can be scrolled back to: by lines, for xterm would not keep what it
 * clears.
 */
function emptyScreen(): string {
  return `${"\n".repeat(sizeForSession().rows)}${CLEAR_SCREEN}`;
}

/** Skips half a line or half a sequence at the beginning, and what was on the alternate screen. */
function startOf(tail: Uint8Array): number {
  let start = tail.indexOf(LINE_FEED) + 1;
  for (const { kind, to, sequence } of tokensOf(tail)) {
    if (kind === "csi" && screenSwitch(sequence) === "leave") start = Math.max(start, to);
  }
  return start;
}

/** As much of it as the person's terminal has room for: below, where the caret is, unless the program knows of rows. */
function paint({ snapshot, modes }: Pick<ScreenView, "snapshot" | "modes">, size: TerminalSize): string {
  const { cells = [], caret, isAlternate } = snapshot;
  const above = isAlternate ? 0 : Math.max(0, caret.row + 1 - size.rows);
  const rows = cells.slice(above, above + size.rows).map((row) => colouredRow(row, size.cols));
  return [
    RESET_MODES,
    isAlternate ? ENTER_ALTERNATE_SCREEN : "",
    // Row by row: to clear the whole screen would move it to what can be scrolled back to.
    ...rows.map((row, index) => `\x1b[${index + 1};1H\x1b[2K${row}`),
    "\x1b[0m",
    rows.length < size.rows ? `\x1b[${rows.length + 1};1H\x1b[J` : "",
    setModes(modes, { ...caret, row: caret.row - above }),
  ].join("");
}
