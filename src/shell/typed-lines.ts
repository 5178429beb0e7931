/** What is typed for one command: pieces side by side, broken into lines that a terminal takes, and these into bundles. */
import { TYPED_BYTES } from "../base/limits.ts";

/** Pure: a backslash at the end of a line joins it with the next one, in every shell. Pieces are bytes, one character each. */
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

/** Pure: whole lines, as many at a time as the terminal holds. */
export function bundleLines(text: string, maxBytes: number = TYPED_BYTES): string[] {
  const bundles: string[] = [];
  for (let at = 0; at < text.length; ) {
    const isLast = at + maxBytes >= text.length;
    const lastEnd = text.lastIndexOf("\n", at + maxBytes - 1);
    const end = isLast || lastEnd < at ? (isLast ? text.length : text.indexOf("\n", at) + 1) : lastEnd + 1;
    bundles.push(text.slice(at, end));
    at = end;
  }
  return bundles;
}
