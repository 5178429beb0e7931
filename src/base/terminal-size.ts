import { MAX_COLS, MAX_ROWS } from "./limits.ts";
import { requireInteger } from "./require-integer.ts";

/** The size of a terminal in characters: whole numbers, 1 to 500 each. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

export function requireSize({ cols, rows }: TerminalSize): void {
  requireInteger("cols", cols, { min: 1, max: MAX_COLS });
  requireInteger("rows", rows, { min: 1, max: MAX_ROWS });
}
