/** Follows what a program sets and resets, for the modes that the terminal itself does not tell of. */

import type { TerminalModes } from "../base/terminal-modes.ts";
import type { Caret } from "./snapshot.ts";

type Shape = NonNullable<Caret["shape"]>;

/** Later ones replace earlier ones, as in xterm. */
const ENCODINGS: Readonly<Record<number, TerminalModes["mouseEncoding"]>> = {
  1005: "utf8",
  1006: "sgr",
  1015: "urxvt",
};
const SHAPES: readonly Shape[] = ["block", "block", "block", "underline", "underline", "bar", "bar"];

export class ModeWatch {
  isCaretVisible = true;
  caretShape: Shape | undefined;
  mouseEncoding: TerminalModes["mouseEncoding"] = "default";
  modifyOtherKeys: TerminalModes["modifyOtherKeys"] = 0;

  /** DECSET and DECRST. */
  setPrivate(numbers: readonly number[], action: "set" | "reset"): void {
    for (const number of numbers) {
      if (number === 25) this.isCaretVisible = action === "set";
      const encoding = ENCODINGS[number];
      if (encoding === undefined) continue;
      if (action === "set") this.mouseEncoding = encoding;
      else if (this.mouseEncoding === encoding) this.mouseEncoding = "default";
    }
  }

  /** XTMODKEYS, `CSI > 4 ; level m`: without a level, and without anything, back to none. */
  setKeyOptions([resource, level = 0]: readonly number[]): void {
    if (resource === 4 || resource === undefined || resource === 0) this.modifyOtherKeys = keyLevel(level);
  }

  /** DECSCUSR. */
  setShape(number: number): void {
    this.caretShape = number === 0 ? undefined : SHAPES[number];
  }

  /** DECSTR: a soft reset. */
  resetSoftly(): void {
    this.isCaretVisible = true;
  }

  /** RIS: all as at the beginning. */
  reset(): void {
    this.isCaretVisible = true;
    this.caretShape = undefined;
    this.mouseEncoding = "default";
    this.modifyOtherKeys = 0;
  }
}

function keyLevel(number: number): TerminalModes["modifyOtherKeys"] {
  return number === 1 || number === 2 ? number : 0;
}
