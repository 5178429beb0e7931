import type { TerminalSize } from "../../base/terminal-size.ts";

/** What programs assume about a terminal of unknown size, such as a serial line. */
const UNKNOWN: TerminalSize = { cols: 80, rows: 24 };

/** The size of the terminal that stdout is. A terminal that does not know its size reports 0. */
export function ownTerminalSize(): TerminalSize {
  const { columns, rows } = process.stdout;
  return { cols: columns || UNKNOWN.cols, rows: rows || UNKNOWN.rows };
}
