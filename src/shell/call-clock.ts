/** The time that a call may take, counted from the call on. */
import { requireInteger } from "../base/require-integer.ts";

export interface TimeOptions {
  /** Ends the command when this call has taken so long; one that has not begun by then rejects with `SHELL_BUSY`. Default: no limit. */
  readonly timeoutMs?: number;
  /** The longest this call may take; a command that was begun goes on. Default: no limit. */
  readonly deadlineMs?: number;
}

export interface CallClock {
  readonly startedMs: number;
  readonly limitMs: number;
}

export function clockOf({ timeoutMs, deadlineMs }: TimeOptions): CallClock {
  const limitMs = Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, deadlineMs ?? Number.POSITIVE_INFINITY);
  return { startedMs: performance.now(), limitMs };
}

export function checkTimes({ timeoutMs, deadlineMs }: TimeOptions): void {
  if (timeoutMs !== undefined) requireInteger("timeoutMs", timeoutMs, { min: 1, max: 2 ** 31 - 1 });
  if (deadlineMs !== undefined) requireInteger("deadlineMs", deadlineMs, { min: 0, max: 2 ** 31 - 1 });
}
