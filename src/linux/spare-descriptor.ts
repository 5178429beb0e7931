/**
 * One descriptor held back for the moment when this process has no other left: a session must be found and ended
 * above all then, and looking into /proc or writing to a control group takes one.
 */
import { closeSync, openSync } from "node:fs";

let spare: number | undefined;

/** Call while descriptors are still to be had. */
export function holdSpareDescriptor(): void {
  if (spare !== undefined) return;
  try {
    spare = openSync("/dev/null", "r");
  } catch {
    // None is left already. The next call tries again.
  }
}

/** Does the work, which may hold one descriptor at a time, with the spare one where there is no other. */
export function withSpareDescriptor<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isExhausted(error) || spare === undefined) throw error;
    closeSync(spare);
    spare = undefined;
    try {
      return work();
    } finally {
      holdSpareDescriptor();
    }
  }
}

function isExhausted(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EMFILE" || code === "ENFILE";
}
