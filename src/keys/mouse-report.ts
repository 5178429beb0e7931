/** One mouse event in the four encodings that programs may ask for. */
import { LimpetError } from "../base/limpet-error.ts";
import type { TerminalModes } from "../base/terminal-modes.ts";

export interface MouseReport {
  /** Button, motion and modifiers, as in the first number of an SGR report. */
  readonly code: number;
  readonly col: number;
  readonly row: number;
  readonly phase: "press" | "release";
}

/** Added to numbers that are sent as characters, so that none of them is a control character. */
const OFFSET = 32;
/** The older encodings cannot express which button was released. */
const RELEASED = 3;
/** The largest number that fits into one byte, or into two bytes of UTF-8, after the offset is added. */
const LARGEST = { default: 255 - OFFSET, utf8: 0x7ff - OFFSET } as const;

export function encodeReport(report: MouseReport, encoding: TerminalModes["mouseEncoding"]): Uint8Array {
  const { code, phase } = report;
  const [x, y] = [report.col + 1, report.row + 1];
  const anonymous = phase === "release" ? (code & ~RELEASED) | RELEASED : code;
  switch (encoding) {
    case "sgr":
      return Buffer.from(`\x1b[<${code};${x};${y}${phase === "press" ? "M" : "m"}`);
    case "urxvt":
      return Buffer.from(`\x1b[${anonymous + OFFSET};${x};${y}M`);
    case "default":
    case "utf8": {
      requireFits(report, LARGEST[encoding]);
      const numbers = String.fromCharCode(...[anonymous, x, y].map((number) => number + OFFSET));
      return Buffer.from(`\x1b[M${numbers}`, encoding === "utf8" ? "utf8" : "latin1");
    }
  }
}

function requireFits({ col, row }: MouseReport, largest: number): void {
  if (col < largest && row < largest) return;
  throw new LimpetError(
    "BAD_OPTION",
    `The program's mouse encoding ends at column and row ${largest - 1}, and this is column ${col}, row ${row}. Use keys there, or a smaller terminal.`,
  );
}
