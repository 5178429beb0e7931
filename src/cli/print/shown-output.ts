/**
 * A program's output on stdout. In a terminal only what draws passes, and the terminal is restored at the end: the
 * output may stop in the middle of anything.
 */

import { DrawingFilter } from "../../screen/painting/drawing-filter.ts";
import { TerminalModeTracker } from "../../session/modes/terminal-mode-tracker.ts";
import { ownTerminalSize } from "./own-terminal-size.ts";
import { writeBytes, writeDrawing } from "./print.ts";
import { restoreSequences } from "./restore-sequences.ts";

interface ShownOutputOptions {
  /** What a pipe gets: every byte, or what a terminal would get. */
  readonly intoPipe: "bytes" | "drawing";
}

export class ShownOutput {
  readonly #isFiltered: boolean;
  readonly #filter = new DrawingFilter({ passing: "drawing", size: ownTerminalSize });
  readonly #tracker = new TerminalModeTracker();

  constructor({ intoPipe }: ShownOutputOptions) {
    this.#isFiltered = process.stdout.isTTY || intoPipe === "drawing";
  }

  /** Resolves when stdout has room again; with false if the reader is gone. */
  async write(output: Uint8Array): Promise<boolean> {
    if (!this.#isFiltered) return await writeBytes(output);
    const drawing = this.#filter.push(output);
    this.#tracker.push(Buffer.from(drawing));
    return await writeDrawing(drawing);
  }

  /** Restores the terminal. */
  async end(): Promise<void> {
    if (process.stdout.isTTY) await writeDrawing(restoreSequences(this.#tracker, this.#filter));
  }
}
