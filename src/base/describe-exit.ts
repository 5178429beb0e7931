import type { Exit } from "../pty/watch-exit.ts";

/** An exit in words, to follow "its program": "exited with code 3". */
export function describeExit(exit: Exit): string {
  if (exit.kind === "code") return `exited with code ${exit.code}`;
  return exit.kind === "signal" ? `was killed by ${exit.signal}` : "has ended";
}
