/**
 * Reserves one file descriptor for when this process runs out of them. limpet must still be able to find and end
 * sessions then, and reading /proc or writing to a control group needs a descriptor.
 */
import { closeSync, openSync } from "node:fs";

let spare: number | undefined;

/** Call while descriptors are still available. */
export function holdSpareDescriptor(): void {
  if (spare !== undefined) return;
  try {
    spare = openSync("/dev/null", "r");
  } catch {
    // No descriptor is left. The next call tries again.
  }
}

/** Runs `work`, which may use one descriptor at a time. If none is left, frees the reserved one and runs it again. */
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
