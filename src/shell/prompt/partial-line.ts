/**
 * Counts the bytes of a line that someone started to type. A shell that reads lines does not have them yet, and the
 * kernel does not report them.
 */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const [INTERRUPT, KILL, QUIT] = [0x03, 0x15, 0x1c];
const [BACKSPACE, DELETE] = [0x08, 0x7f];

/** Each of these clears the line. */
const CLEARING: ReadonlySet<number> = new Set([LINE_FEED, CARRIAGE_RETURN, INTERRUPT, KILL, QUIT]);
const ERASING: ReadonlySet<number> = new Set([BACKSPACE, DELETE]);

/** Pure: the length of the line after `bytes` are typed behind the first `before` bytes. */
export function partialLineBytes(before: number, bytes: Uint8Array): number {
  let count = before;
  for (const byte of bytes) {
    if (CLEARING.has(byte)) count = 0;
    else if (ERASING.has(byte)) count = Math.max(0, count - 1);
    else count += 1;
  }
  return count;
}
