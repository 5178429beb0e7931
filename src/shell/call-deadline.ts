/** The time limits of a call, counted from its start. */
import { requireInteger } from "../base/require-integer.ts";

export interface TimeOptions {
  /**
   * Ends the command when this call has taken this long. A command that has not started by then rejects with
   * `SHELL_BUSY`. Default: no limit.
   */
  readonly timeoutMs?: number;
  /** The longest time this call may take. A command that has started keeps running. Default: no limit. */
  readonly deadlineMs?: number;
}

export interface CallDeadline {
  readonly startedMs: number;
  readonly limitMs: number;
}

export function startDeadline({ timeoutMs, deadlineMs }: TimeOptions): CallDeadline {
  const limitMs = Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, deadlineMs ?? Number.POSITIVE_INFINITY);
  return { startedMs: performance.now(), limitMs };
}

/** Milliseconds until the call must return; 0 if it is late. */
export function leftMs({ startedMs, limitMs }: CallDeadline): number {
  return Math.max(0, Math.ceil(startedMs + limitMs - performance.now()));
}

/** Throws `BAD_OPTION`. */
export function checkTimes({ timeoutMs, deadlineMs }: TimeOptions): void {
  if (timeoutMs !== undefined) requireInteger("timeoutMs", timeoutMs, { min: 1, max: 2 ** 31 - 1 });
  if (deadlineMs !== undefined) requireInteger("deadlineMs", deadlineMs, { min: 0, max: 2 ** 31 - 1 });
}
