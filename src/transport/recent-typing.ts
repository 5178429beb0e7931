/**
 * Into which programs somebody typed just now. While others are talking to their programs, a program that floods gets
 * only a part of this process: the kernel then makes it wait, which leaves the processors to the others.
 */

/** A conversation with a program has pauses of this length. */
const RECENT_MS = 100;

interface Typing {
  /** The descriptor that was written to. */
  readonly fd: number;
  readonly atMs: number;
}

const NEVER: Typing = { fd: -1, atMs: Number.NEGATIVE_INFINITY };

/** The latest typing, and the latest into another program than that. */
let latest = NEVER;
let latestOther = NEVER;

export function noteTyping(fd: number): void {
  if (fd !== latest.fd) latestOther = latest;
  latest = { fd, atMs: performance.now() };
}

/** Whether somebody typed into another program just now. Without `fd`: into any program. */
export function isTypingElsewhere(fd?: number): boolean {
  const { atMs } = fd === latest.fd ? latestOther : latest;
  return performance.now() - atMs < RECENT_MS;
}
