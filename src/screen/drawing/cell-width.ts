/**
 * How many columns a character takes, in the form in which the terminal asks: with what stands before it, and packed into
 * a number. Width is as in the clean text of the output, so that both agree on columns.
 */
import { MAX_MARKS_PER_CELL } from "../../base/limits.ts";
import { charWidth } from "../../text/clean/char-width.ts";

/** Shared by all screens: the first planes, where text is; 255 where nobody has asked yet. */
const known: Uint8Array = new Uint8Array(0x20000).fill(255);

export function cellWidth(code: number): 0 | 1 | 2 {
  const found = known[code];
  if (found !== undefined && found !== 255) return found as 0 | 1 | 2;
  const width = code <= 0x10ffff ? charWidth(String.fromCodePoint(code)) : 1;
  if (code < known.length) known[code] = width;
  return width;
}

/**
 * Bit 0: it joins the character before it. Bits 1 and 2: columns of both together. From bit 3 on: how many have joined.
 * `preceding` is the same of the character before, or 0 after anything that is no text.
 */
export function cellProperties(code: number, preceding: number): number {
  const width = code < 0x300 ? 1 : cellWidth(code);
  if (width > 0) return width << 1;
  const joined = preceding >> 3;
  // With nothing to join, or too much there already, it gets a cell of its own.
  if (preceding === 0 || joined >= MAX_MARKS_PER_CELL) return 1 << 1;
  return ((joined + 1) << 3) | (preceding & 0b110) | 1;
}
