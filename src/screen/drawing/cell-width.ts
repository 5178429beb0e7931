/**
 * How many columns a character takes, in the form that the library needs: together with the character before it, packed
 * into a number. Widths are those of text/clean, so that both agree on columns.
 */
import { MAX_MARKS_PER_CELL } from "../../base/limits.ts";
import { charWidth } from "../../text/clean/char-width.ts";

/** A cache for all screens, of the first planes, which hold most text; 255 stands for an unknown width. */
const known: Uint8Array = new Uint8Array(0x20000).fill(255);

export function cellWidth(code: number): 0 | 1 | 2 {
  const found = known[code];
  if (found !== undefined && found !== 255) return found as 0 | 1 | 2;
  const width = code <= 0x10ffff ? charWidth(String.fromCodePoint(code)) : 1;
  if (code < known.length) known[code] = width;
  return width;
}

/**
 * Bit 0: it joins the character before it. Bits 1 and 2: the columns of both together. From bit 3 on: how many have
 * joined. `preceding` is the same number for the character before, or 0 after anything that is not text.
 */
export function cellProperties(code: number, preceding: number): number {
  const width = code < 0x300 ? 1 : cellWidth(code);
  if (width > 0) return width << 1;
  const joined = preceding >> 3;
  // With nothing to join, or too many joined already, it gets a cell of its own.
  if (preceding === 0 || joined >= MAX_MARKS_PER_CELL) return 1 << 1;
  return ((joined + 1) << 3) | (preceding & 0b110) | 1;
}
