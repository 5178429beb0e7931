/** The phases of a session, told from what has happened to it. */

/**
 * `running`: the program lives. `closing`: we are ending it. `exited`: the program is gone, but something that it
 * started keeps its terminal and may still write. `ended`: no output can follow.
 */
import type { Exit } from "../base/exit.ts";
/** Where a session is between start and end. Only `ended` is final. */
export type Phase = "running" | "closing" | "exited" | "ended";

export interface SessionFacts {
  readonly exit: Exit | undefined;
  readonly isOutputEnded: boolean;
  readonly isCloseAsked: boolean;
}

/** Exit and the end of output come in any order: a piped program may close its output and live on. */
export function phaseOf({ exit, isOutputEnded, isCloseAsked }: SessionFacts): Phase {
  if (exit && isOutputEnded) return "ended";
  if (isCloseAsked) return "closing";
  return exit ? "exited" : "running";
}
