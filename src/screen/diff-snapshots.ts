/** What changed between two snapshots, briefly. Pure. */

import type { TerminalSize } from "../base/terminal-size.ts";
import { quoteLine } from "../text/clean/quote-line.ts";
import { rowTexts } from "./screen-text.ts";
import type { Caret, Snapshot } from "./snapshot.ts";

/** A row of the screen that differs between two snapshots. */
export interface ChangedRow {
  readonly row: number;
  /** The row after the change, with highlights marked as in `screenText`; "" if it is blank. */
  readonly text: string;
}

/** A field is missing if nothing changed there. */
export interface SnapshotDiff {
  /** How many lines the text moved up; negative for down. `rows` are those that differ after that. */
  readonly scrolled?: number;
  readonly rows: readonly ChangedRow[];
  readonly caret?: Caret;
  readonly title?: string;
  readonly isAlternate?: boolean;
  readonly size?: TerminalSize;
}

/** A shift must explain this many times the rows that still differ after it; otherwise a list of rows is clearer. */
const WORTH = 2;

/** Compares two snapshots of one session, row by row. */
export function diffSnapshots(before: Snapshot, after: Snapshot): SnapshotDiff {
  const old = rowTexts(before);
  const now = rowTexts(after);
  const isComparable = before.size.cols === after.size.cols && before.size.rows === after.size.rows;
  const scrolled = isComparable && before.isAlternate === after.isAlternate ? shiftOf(old, now) : 0;
  const rows = now.flatMap((text, row) => (text === (old[row + scrolled] ?? "") ? [] : [{ row, text }]));
  return {
    ...(scrolled === 0 ? {} : { scrolled }),
    rows,
    ...(isSameCaret(before.caret, after.caret) ? {} : { caret: after.caret }),
    ...(before.title === after.title ? {} : { title: after.title }),
    ...(before.isAlternate === after.isAlternate ? {} : { isAlternate: after.isAlternate }),
    ...(isComparable ? {} : { size: after.size }),
  };
}

/** The difference as text for a model, one change per line; "" if there is none. */
export function diffText({ scrolled = 0, rows, caret, title, isAlternate, size }: SnapshotDiff): string {
  const lines: string[] = [];
  if (size) lines.push(`size: ${size.cols}x${size.rows}`);
  if (isAlternate !== undefined) lines.push(isAlternate ? "full screen: entered" : "full screen: left");
  if (title !== undefined) lines.push(`title: ${quoteLine(title)}`);
  if (scrolled !== 0) lines.push(`scrolled ${scrolled > 0 ? "up" : "down"} by ${Math.abs(scrolled)}`);
  for (const { row, text } of rows) lines.push(`${row + 1}: ${text}`.trimEnd());
  if (caret) lines.push(caret.isVisible ? `caret: ${caret.row + 1},${caret.col + 1}` : "caret: hidden");
  return lines.join("\n");
}

/** Whether and how far the text moved. */
function shiftOf(old: readonly string[], now: readonly string[]): number {
  let best = 0;
  let least = countChanged(old, now, 0);
  if (least < WORTH) return 0;
  const without = least;
  for (let by = 1; by < now.length; by++) {
    for (const shift of [by, -by]) {
      const changed = countChanged(old, now, shift);
      if (changed < least) {
        least = changed;
        best = shift;
      }
    }
  }
  const isWorthIt = without - least >= WORTH && countKept(old, now, best) >= WORTH;
  return isWorthIt ? best : 0;
}

function countChanged(old: readonly string[], now: readonly string[], shift: number): number {
  return now.reduce((count, text, row) => (text === (old[row + shift] ?? "") ? count : count + 1), 0);
}

/** Blank rows do not count, because they are equal at any shift. */
function countKept(old: readonly string[], now: readonly string[], shift: number): number {
  return now.reduce((count, text, row) => (text !== "" && text === old[row + shift] ? count + 1 : count), 0);
}

function isSameCaret(one: Caret, other: Caret): boolean {
  if (one.isVisible !== other.isVisible) return false;
  return !one.isVisible || (one.row === other.row && one.col === other.col && one.shape === other.shape);
}
