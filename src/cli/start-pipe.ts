/** The descriptor to the process that started this one in the background: see `start-detached.ts`. */
import { writeSync } from "node:fs";

const START_PIPE = 3;

/**
 * Whether the process that started this one still waits for it. If it uses another one instead, nobody would end this
 * one.
 */
export function hasStarter(): boolean {
  try {
    writeSync(START_PIPE, "begins");
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EPIPE";
  }
}

/** Tells the starter that another one was already running. */
export function reportSecond(): void {
  try {
    writeSync(START_PIPE, "second");
  } catch {
    // The starter already uses the other one.
  }
}
