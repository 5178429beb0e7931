/** Follows the modes that the library does not report. */

import type { TerminalModes } from "../../base/terminal-modes.ts";
import { encodingAfter, keyLevelAfter } from "../../session/modes/apply-mode.ts";
import type { Caret } from "../snapshot.ts";

type Shape = NonNullable<Caret["shape"]>;

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
      this.mouseEncoding = encodingAfter(this.mouseEncoding, number, action);
    }
  }

  /** XTMODKEYS. */
  setKeyOptions(numbers: readonly number[]): void {
    this.modifyOtherKeys = keyLevelAfter(this.modifyOtherKeys, numbers);
  }

  /** DECSCUSR. */
  setShape(number: number): void {
    this.caretShape = number === 0 ? undefined : SHAPES[number];
  }

  /** DECSTR: a soft reset. */
  resetSoftly(): void {
    this.isCaretVisible = true;
  }

  /** RIS: back to the initial state. */
  reset(): void {
    this.isCaretVisible = true;
    this.caretShape = undefined;
    this.mouseEncoding = "default";
    this.modifyOtherKeys = 0;
  }
}
