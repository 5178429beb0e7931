import type { CleanText } from "../clean/cleaner.ts";

/**
 * The journal bytes that the part of a clean text from byte `fromByte` to byte `toByte` came from: where a cut says its
 * rest can be read. Never too narrow; as wide as the nearest marks are apart.
 */
export function cursorRange(
  clean: CleanText,
  cut: { readonly fromByte: number; readonly toByte: number },
): { readonly from: number; readonly to: number } {
  const from = clean.marks.findLast((mark) => mark.textByte <= cut.fromByte)?.cursor ?? 0;
  const at = clean.marks.findIndex((mark) => mark.textByte >= cut.toByte);
  const reached = clean.marks[at]?.cursor ?? Number.POSITIVE_INFINITY;
  // A mark may stand a little before its line, but never before one whose place differs from its own.
  const to = clean.marks.slice(at + 1).find((mark) => mark.cursor > reached)?.cursor ?? clean.cursor;
  return { from, to };
}
