/** How much of a line somebody has begun to type: a shell that reads lines does not have it yet, and the kernel does not tell. */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const [INTERRUPT, KILL, QUIT] = [0x03, 0x15, 0x1c];
const [BACKSPACE, DELETE] = [0x08, 0x7f];

/** All of them leave nothing of what was begun. */
const CLEARING: ReadonlySet<number> = new Set([LINE_FEED, CARRIAGE_RETURN, INTERRUPT, KILL, QUIT]);
const ERASING: ReadonlySet<number> = new Set([BACKSPACE, DELETE]);

/** Pure: how many bytes of a line are begun, `bytes` after there were `before`. */
export function begunAfter(before: number, bytes: Uint8Array): number {
  let begun = before;
  for (const byte of bytes) {
    if (CLEARING.has(byte)) begun = 0;
    else if (ERASING.has(byte)) begun = Math.max(0, begun - 1);
    else begun += 1;
  }
  return begun;
}
