import type { CleanText } from "./clean.ts";

/**
 * The journal bytes that the part of a clean text from byte `fromByte` to byte `toByte` came from: where a cut says its
 * rest can be read. Never too narrow; as wide as the nearest marks are apart.
 */
export function cursorRange(
  clean: CleanText,
  cut: { readonly fromByte: number; readonly toByte: number },
): { readonly from: number; readonly to: number } {
  let from = 0;
  let to = clean.cursor;
  for (const mark of clean.marks) {
    if (mark.textByte <= cut.fromByte) from = mark.cursor;
    if (mark.textByte >= cut.toByte) {
      to = mark.cursor;
      break;
    }
  }
  return { from, to };
}
