/** A snapshot in the words for a model. */
import { legendOf, screenText } from "../screen/screen-text.ts";
import type { Caret, Snapshot } from "../screen/snapshot.ts";

interface ScreenWords {
  /** The screen, what stands out marked. */
  readonly text: string;
  /** Where the caret is, and what the marks mean. */
  readonly caret: string;
}

export function describeScreen(snapshot: Snapshot): ScreenWords {
  const text = screenText(snapshot);
  const legend = legendOf(text);
  return { text, caret: [describeCaret(snapshot.caret), ...(legend === "" ? [] : [legend])].join("; ") };
}

function describeCaret({ row, col, isVisible }: Caret): string {
  return isVisible ? `Caret: row ${row + 1}, column ${col + 1}` : "Caret: hidden";
}
