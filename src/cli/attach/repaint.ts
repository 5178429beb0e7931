/**
 * What a person sees at once on attaching. A short output is played again as it was. Of a long one, the screen is drawn and the
 * modes are set as they are, however long ago the program asked for them; above it are the latest lines, to scroll back to.
 */

import { randomUUID } from "node:crypto";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { SessionService } from "../../service/session-service.ts";
import { readScreen } from "../../service/simple-turns.ts";
import type { ScreenView } from "../../service/turn.ts";
import { CLEAR_SCREEN, ENTER_ALTERNATE_SCREEN, RESET_MODES } from "../print/terminal-sequences.ts";
import { colouredRow } from "../view/coloured-rows.ts";
import { setModes } from "./set-modes.ts";
import { sizeForSession } from "./user-terminal.ts";

/** A few screens; more would only scroll by. */
const REPLAYED_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const ALTERNATE_ENDS = ["\x1b[?1049l", "\x1b[?1047l", "\x1b[?47l"];
const NOTHING: Repaint = { bytes: new Uint8Array(0), cursor: 0 };

export interface Repaint {
  readonly bytes: Uint8Array;
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
  return { bytes: Buffer.concat([above.bytes, Buffer.from(paint(screen, sizeForSession()))]), cursor: to };
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
  return { bytes: Buffer.concat([Buffer.from(emptyScreen()), withoutQueries(tail.subarray(start))]), cursor };
}

/** What the person had on it is moved to what can be scrolled back to: by lines, for xterm would not keep what it clears. */
function emptyScreen(): string {
  return `${"\n".repeat(sizeForSession().rows)}${CLEAR_SCREEN}`;
}

/** Leaves out a cut line or sequence at the beginning, and what was on another screen. */
function startOf(tail: Buffer): number {
  const ends = ALTERNATE_ENDS.map((end) => ({ at: tail.lastIndexOf(end), length: end.length }));
  return Math.max(tail.indexOf(LINE_FEED) + 1, ...ends.map(({ at, length }) => (at < 0 ? 0 : at + length)));
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

/**
 * Questions to the terminal, which it would answer by typing: DA, DSR, DECRQM, window and key reports, XTVERSION, whole DCS, ENQ;
 * and what must not happen again because it has happened: bells, and the OSC that set the clipboard, or ask for colours.
 */
const QUERY = new RegExp(
  [
    "\\x1b\\[[?>=]?[\\d;]*[cnx]",
    "\\x1b\\[\\??[\\d;]*\\$p",
    "\\x1b\\[>[\\d;]*q",
    "\\x1b\\[\\?u",
    "\\x1b\\[(?:1[1-9]|2[01])(?:;\\d*)*t",
    "\\x1bP[^\\x1b\\x07]*(?:\\x1b\\\\|\\x07)",
    "\\x05",
  ].join("|"),
  "g",
);
/** A whole OSC, or a bell that ends none. What it says is looked at afterwards: a pattern for that would try every `;?` of a long one. */
const OSC_OR_BELL = /\x1b\]([^\x1b\x07]*)(?:\x1b\\|\x07)|\x07/g;

/** Pure. For output that is shown again. */
export function withoutQueries(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const quiet = text
    .replace(QUERY, "")
    .replace(OSC_OR_BELL, (whole, said: string | undefined) => (said === undefined || isQuery(said) ? "" : whole));
  return Buffer.from(quiet, "latin1");
}

function isQuery(osc: string): boolean {
  return osc.startsWith("52;") || osc.includes(";?");
}
