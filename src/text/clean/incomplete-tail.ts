/** How many bytes at the end of `bytes[0..end)` are the beginning of an incomplete character: 0 to 3. */
export function incompleteTail(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthOf(byte) > back && isPossible(byte, bytes[end - back + 1], back) ? back : 0;
  }
  return 0;
}

function lengthOf(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
}

/** Overlong forms, surrogates and numbers beyond Unicode are invalid from their second byte on. */
function isPossible(lead: number, second: number | undefined, have: number): boolean {
  if (have < 2 || second === undefined) return true;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second < 0x90;
}
