/**
 * Pure: how long the lines of typed input are. In line mode the kernel holds one line until its end and silently cuts
 * one that is too long.
 */

/**
 * Enter is CR or LF, and Ctrl+D also ends a line. Ctrl+C, Ctrl+\\, Ctrl+Z and Ctrl+U discard the line typed so far.
 * These are a terminal's default keys; programs rarely change them.
 */
const LINE_ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x04, 0x03, 0x1c, 0x1a, 0x15]);
/** Ctrl+V makes the next byte literal. */
const QUOTE = 0x16;

/** The longest line, without its end, if `bytes` follow an unfinished line of `open` bytes. */
export function longestLine(open: number, bytes: Uint8Array): number {
  let longest = 0;
  for (const length of lineLengths(open, bytes)) longest = Math.max(longest, length);
  return longest;
}

/** The length of the line that `bytes` leaves unfinished. */
export function openLineAfter(open: number, bytes: Uint8Array): number {
  let last = open;
  for (const length of lineLengths(open, bytes)) last = length;
  return last;
}

/** The length of the line after each byte; 0 after the end of a line. */
function* lineLengths(open: number, bytes: Uint8Array): Generator<number> {
  let length = open;
  let isQuoted = false;
  for (const byte of bytes) {
    const isEnd = !isQuoted && LINE_ENDS.has(byte);
    isQuoted = !isQuoted && byte === QUOTE;
    if (!isQuoted) length = isEnd ? 0 : length + 1;
    yield length;
  }
}
