const LONGEST_BYTES = 64;
const MOST_DIGITS = 3;

/**
 * Where a short CSI sequence that begins at `at` (its ESC) ends: one with small numbers, and with neither prefix nor
 * intermediates. -1 for every other sequence, and for one that is not complete.
 *
 * Most sequences of most outputs are of this form (colours, movement), so they need not go through the tokenizer.
 */
export function shortCsiEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return -1;
  const stop = Math.min(bytes.length, at + LONGEST_BYTES);
  let digits = 0;
  for (let i = at + 2; i < stop; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      digits++;
      if (digits > MOST_DIGITS) return -1;
    } else if (byte === 0x3b || byte === 0x3a) digits = 0;
    else return byte >= 0x40 && byte < 0x7f ? i + 1 : -1;
  }
  return -1;
}
