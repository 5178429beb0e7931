/**
 * Shares of the event loop for work that takes long, such as cleaning megabytes of output: all who want one get them in
 * turn, one per turn of the loop, however many they are. So whoever wants little is served in between.
 */
const waiting: (() => void)[] = [];

/** How long to work before asking for the next share. */
export const SHARE_MS = 0.5;

/** Resolves when it is the caller's turn. */
export function nextShare(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serve);
  });
}

function serve(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serve);
}
