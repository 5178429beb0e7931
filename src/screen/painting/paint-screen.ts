/**
 * The output that gives a fresh terminal of the same size a screen with its modes, and what the snapshot has of the
 * lines above it, as plain text. Pure.
 */
import type { ScreenState } from "../screen.ts";
import type { Snapshot } from "../snapshot.ts";
import { colouredRow } from "./coloured-rows.ts";
import { setModes } from "./set-modes.ts";
import { ENTER_ALTERNATE_SCREEN } from "./terminal-sequences.ts";

export function paintScreen({ snapshot, modes }: ScreenState): string {
  const { cells = [], caret, isAlternate } = snapshot;
  return [
    scrolledOff(snapshot),
    isAlternate ? ENTER_ALTERNATE_SCREEN : "",
    ...cells.map((row, index) => `\x1b[${index + 1};1H${colouredRow(row)}`),
    "\x1b[0m",
    setModes(modes, caret),
    modes.wrap && !modes.insert ? lastColumn(snapshot) : "",
    modes.pen === "" ? "" : `\x1b[0;${modes.pen}m`,
  ].join("");
}

/** Prints the lines above the screen, and scrolls until the last of them has left it. */
function scrolledOff({ scrollback, size }: Snapshot): string {
  if (scrollback.length === 0) return "";
  const left = Math.min(scrollback.length, size.rows - 1);
  return `${scrollback.map((line) => `${line}\r\n`).join("")}\x1b[${size.rows};1H${"\n".repeat(left)}`;
}

/**
 * After the last column, the caret waits for the next character before it wraps. Only writing a character there brings
 * it into that state.
 */
function lastColumn({ cells = [], caret, size }: Snapshot): string {
  if (caret.col < size.cols) return "";
  const row = cells[caret.row] ?? [];
  const from = row.findLastIndex(({ width }) => width > 0);
  const back = size.cols - 1 - from;
  return from < 0 ? "" : `${back > 0 ? `\x1b[${back}D` : ""}${colouredRow(row.slice(from)) || " "}`;
}
