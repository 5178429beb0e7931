import type { CleanText } from "../clean/cleaner.ts";

/**
 * The journal bytes from which bytes `fromByte` to `toByte` of a clean text were made: where to read what a cut
 * removed. Never too narrow; at most as wide as the distance of the nearest marks.
 */
export function cursorRange(
  clean: CleanText,
  cut: { readonly fromByte: number; readonly toByte: number },
): { readonly from: number; readonly to: number } {
  const from = clean.marks.findLast((mark) => mark.textByte <= cut.fromByte)?.cursor ?? 0;
  const at = clean.marks.findIndex((mark) => mark.textByte >= cut.toByte);
  const reached = clean.marks[at]?.cursor ?? Number.POSITIVE_INFINITY;
  // A mark may be a little before its line, but never before the mark of another place.
  const to = clean.marks.slice(at + 1).find((mark) => mark.cursor > reached)?.cursor ?? clean.cursor;
  return { from, to };
}
