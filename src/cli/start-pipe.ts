/** The descriptor to the process that started this one in the background: see `start-detached.ts`. */
import { writeSync } from "node:fs";

const START_PIPE = 3;

/** Whether the process that started this one still waits for it. If it has found another one, nobody would end this. */
export function hasStarter(): boolean {
  try {
    writeSync(START_PIPE, "begins");
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EPIPE";
  }
}

/** Says that another one was first. */
export function reportSecond(): void {
  try {
    writeSync(START_PIPE, "second");
  } catch {
    // The starter has found the first one already.
  }
}
