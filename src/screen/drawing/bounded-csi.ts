/**
 * A CSI sequence with its numbers bounded by the size of the terminal. A terminal carries out `CSI 2147483647 b` to the
 * letter, which takes minutes.
 */
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { CsiParams } from "../../text/escape/csi-params.ts";

/** No mode has a larger number. */
const LARGEST_MODE = 9_999;
/** Beyond every row and column: a larger number has the same effect. */
const LARGEST_NUMBER = 1_000;

/** What the number counts, for sequences whose cost grows with it. More than a whole screen has no further effect. */
const COUNTS: Readonly<Record<string, "rows" | "cols" | "cells">> = {
  L: "rows",
  M: "rows",
  S: "rows",
  T: "rows",
  "@": "cols",
  P: "cols",
  X: "cols",
  I: "cols",
  Z: "cols",
  b: "cells",
  "'}": "cols",
  "'~": "cols",
  " @": "cols",
  " A": "cols",
};

interface Sequence {
  /** The byte `<`, `=`, `>` or `?`; 0 without one. */
  readonly prefix: number;
  /** Intermediates and final byte. */
  readonly name: string;
  readonly params: CsiParams;
}

/** The sequence with its numbers bounded. */
export function boundedCsi(sequence: Sequence, size: TerminalSize): string {
  const { prefix, name, params } = sequence;
  const largest = largestNumber(sequence, size);
  let text = "";
  for (let index = 0; index < params.length; index++) {
    const value = params.values[index] as number;
    if (index > 0) text += params.isSubParam(index) ? ":" : ";";
    if (value >= 0) text += String(Math.min(value, largest));
  }
  if (name === "m") text = withColourSpace(text);
  return `\x1b[${prefix === 0 ? "" : String.fromCharCode(prefix)}${text}${name}`;
}

/** `38:2:R:G:B` leaves out the colour space; the library would take the red for it. xterm accepts both forms. */
function withColourSpace(numbers: string): string {
  return numbers.replaceAll(/(?<=^|;)([345]8:2)(:\d*:\d*:\d*)(?=;|$)/g, "$1:$2");
}

/** How many cells the sequence may touch, on top of what any sequence costs. */
export function csiWork(sequence: Sequence, size: TerminalSize): number {
  const { prefix, name, params } = sequence;
  const counts = prefix === 0 ? COUNTS[name] : undefined;
  const times = Math.min(params.get(0, 1), largestNumber(sequence, size));
  if (counts === "rows") return times * (size.cols + size.rows);
  if (counts === "cells") return times * 2;
  if (name === "J" || name === "h" || name === "l" || name === "!p") return size.cols * size.rows;
  return counts === "cols" && name.length > 1 ? size.cols * size.rows : size.cols;
}

function largestNumber({ prefix, name }: Sequence, { cols, rows }: TerminalSize): number {
  const counts = prefix === 0 ? COUNTS[name] : undefined;
  if (counts === "rows") return rows;
  if (counts === "cols") return cols;
  return prefix === 0 ? LARGEST_NUMBER : LARGEST_MODE;
}
