/** Pure: finds the byte at which a match in clean text ends. */
import { Cleaner } from "../../text/clean/cleaner.ts";

/**
 * How many of `bytes` produce the clean text without `after`, if they continue a line of which `openLine` are the bytes
 * so far. If text was redrawn, there may be no such position. The result is then all bytes.
 */
export function matchEnd(openLine: Uint8Array, bytes: Uint8Array, after: string): number {
  const whole = cleanText(openLine, bytes);
  if (!whole.endsWith(after)) return bytes.length;
  const wanted = whole.slice(0, whole.length - after.length);
  let tooFew = -1;
  let enough = bytes.length;
  while (enough - tooFew > 1) {
    const half = (tooFew + enough) >> 1;
    if (cleanText(openLine, bytes.subarray(0, half)).startsWith(wanted)) enough = half;
    else tooFew = half;
  }
  return enough;
}

/** The unfinished last line of `before` and `bytes` together, at most its last `maxBytes`. */
export function openLineOf(before: Uint8Array, bytes: Uint8Array, maxBytes: number): Uint8Array {
  const lastLineFeed = bytes.lastIndexOf(0x0a);
  const line = lastLineFeed < 0 ? Buffer.concat([before, bytes]) : Uint8Array.from(bytes.subarray(lastLineFeed + 1));
  return line.length > maxBytes ? line.subarray(line.length - maxBytes) : line;
}

function cleanText(...parts: readonly Uint8Array[]): string {
  const cleaner = new Cleaner();
  for (const part of parts) cleaner.push(part);
  return cleaner.take().text;
}
