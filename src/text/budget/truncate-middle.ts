import { LimpetError } from "../../base/limpet-error.ts";
import { type CutOptions, cutMiddle, type MiddleCut } from "./cut-middle.ts";

/** A text that fits its budget. `text` is the original, unchanged, where it fitted already. */
export interface Truncated {
  readonly text: string;
  /** Tokens of the whole text at 4 bytes each, rounded up; null when nothing was cut. */
  readonly originalTokenCount: number | null;
  /** The bytes of the original (as UTF-8) that are not in `text`; null when nothing was cut. */
  readonly cut: { readonly fromByte: number; readonly toByte: number } | null;
}

/**
 * Keeps the beginning and the end of `text` within `maxBytes` bytes of UTF-8, with a marker in between that counts what
 * is missing. Cuts between lines where that costs at most a quarter of either half, otherwise inside a line, never
 * inside a character. A budget too small for the marker gets the marker alone, whole.
 */
export function truncateMiddle(text: string, maxBytes: number, options: CutOptions = {}): Truncated {
  const budget = checkBudget(maxBytes);
  const totalBytes = Buffer.byteLength(text);
  if (totalBytes <= budget) return { text, originalTokenCount: null, cut: null };
  return joinEnds(text, text, { totalBytes, budget, ...options });
}

export function checkBudget(maxBytes: number): number {
  if (maxBytes >= 0) return Math.floor(maxBytes);
  throw new LimpetError("BAD_OPTION", `maxBytes is ${maxBytes}. Pass a number of bytes from 0 up.`);
}

interface Cutting extends CutOptions {
  readonly totalBytes: number;
  readonly budget: number;
}

/** `headText` and `tailText` may be the whole text, or enough of its two ends. */
export function joinEnds(headText: string, tailText: string, cutting: Cutting): Truncated {
  // A UTF-16 unit takes at least one byte, so this many units hold at least that many bytes. The unit more keeps a
  // surrogate pair at the border whole.
  const units = Math.ceil(cutting.budget / 2) + 1;
  const head = Buffer.from(headText.slice(0, units));
  const tail = Buffer.from(tailText.slice(Math.max(0, tailText.length - units)));
  const cut: MiddleCut = cutMiddle({ totalBytes: cutting.totalBytes, head, tail }, cutting.budget, cutting);
  // Decoding returns as many units as were encoded, lone surrogates included, so the length is the position in the
  // original.
  const headUnits = head.toString("utf8", 0, cut.headBytes).length;
  const tailUnits = tail.toString("utf8", tail.length - cut.tailBytes).length;
  const kept = headText.slice(0, headUnits);
  const rest = tailText.slice(tailText.length - tailUnits);
  const isMarkerOnly = cut.headBytes === 0 && cut.tailBytes === 0 && !hasRoomForLine(cut, cutting.budget);
  return {
    text: isMarkerOnly ? cut.marker : `${kept}${cut.marker}\n${rest}`,
    originalTokenCount: cut.totalTokens,
    cut: { fromByte: cut.headBytes, toByte: cutting.totalBytes - cut.tailBytes },
  };
}

/** Without room for content the marker is the whole result; otherwise it ends its line. */
function hasRoomForLine(cut: MiddleCut, budget: number): boolean {
  return Buffer.byteLength(cut.marker) < budget;
}
