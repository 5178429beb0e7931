/** The output that gives a fresh terminal of the same size a screen with its modes. Pure. */
import type { ScreenView } from "../../service/turn/turn-answer.ts";
import { setModes } from "../attach/set-modes.ts";
import { ENTER_ALTERNATE_SCREEN } from "../print/terminal-sequences.ts";
import { colouredRow } from "./coloured-rows.ts";

export function paintScreen({ snapshot, modes }: Pick<ScreenView, "snapshot" | "modes">): string {
  const { cells = [], caret, isAlternate } = snapshot;
  return [
    isAlternate ? ENTER_ALTERNATE_SCREEN : "",
    ...cells.map((row, index) => `\x1b[${index + 1};1H${colouredRow(row)}`),
    "\x1b[0m",
    setModes(modes, caret),
  ].join("");
}
