/** The text of a snapshot, as a model reads it. */
import { legendOf, screenText } from "../../screen/screen-text.ts";
import type { Caret, Snapshot } from "../../screen/snapshot.ts";

interface DescribedScreen {
  /** The screen, with marks around what stands out. */
  readonly text: string;
  /** The position of the caret, and the meaning of the marks. */
  readonly caret: string;
}

export function describeScreen(snapshot: Snapshot): DescribedScreen {
  const text = screenText(snapshot);
  const legend = legendOf(text);
  return { text, caret: [describeCaret(snapshot.caret), ...(legend === "" ? [] : [legend])].join("; ") };
}

function describeCaret({ row, col, isVisible }: Caret): string {
  return isVisible ? `Caret: row ${row + 1}, column ${col + 1}` : "Caret: hidden";
}
