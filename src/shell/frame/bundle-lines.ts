/** Splits the text typed for one command into lines, and the lines into bundles that fit into the terminal's buffer. */
import { TYPED_BYTES } from "../../base/limits.ts";

/**
 * Pure: in every shell, a backslash at the end of a line joins it with the next one. Pieces are bytes, one character
 * each.
 */
export function joinPieces(pieces: readonly string[], maxBytes: number = TYPED_BYTES): string {
  let text = "";
  let lineBytes = 0;
  for (const piece of pieces) {
    const firstEnd = piece.indexOf("\n");
    const firstLine = firstEnd < 0 ? piece.length : firstEnd;
    if (lineBytes > 0 && lineBytes + firstLine + 2 > maxBytes) {
      text += "\\\n";
      lineBytes = 0;
    }
    text += piece;
    const lastEnd = piece.lastIndexOf("\n");
    lineBytes = lastEnd < 0 ? lineBytes + piece.length : piece.length - lastEnd - 1;
  }
  return `${text}\n`;
}

/**
 * Pure: whole lines, as many per bundle as the terminal holds; the last line alone. Only for a single line does the
 * terminal show when all of it was accepted, and only then may the mode be changed.
 */
export function bundleLines(text: string, maxBytes: number = TYPED_BYTES): string[] {
  const lastLine = text.lastIndexOf("\n", text.length - 2) + 1;
  const bundles: string[] = [];
  for (let at = 0; at < lastLine; ) {
    const lastEnd = text.lastIndexOf("\n", Math.min(at + maxBytes, lastLine) - 1);
    const end = lastEnd < at ? text.indexOf("\n", at) + 1 : lastEnd + 1;
    bundles.push(text.slice(at, end));
    at = end;
  }
  return [...bundles, text.slice(lastLine)];
}
