import { MAX_COLS, MAX_ROWS } from "../base/limits.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { TerminalSize } from "../pty/open-pty.ts";

export function requireSize({ cols, rows }: TerminalSize): void {
  requireInteger("cols", cols, { min: 1, max: MAX_COLS });
  requireInteger("rows", rows, { min: 1, max: MAX_ROWS });
}
