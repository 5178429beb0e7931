/**
 * Waits for the end of a command, for a question of the program in it, or for the end of the caller's time. One that somebody
 * else has read off the terminal never begins.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { withTimeout } from "../base/with-timeout.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import { waitOn } from "../session/wait/wait-on.ts";
import type { CallClock } from "./call-clock.ts";
import type { Frame } from "./frame.ts";
import type { Framer } from "./framer.ts";

/** A command that ends sooner is not looked at: that would only take the time from it. Most are so short. */
const SHORT_MS = 4;
/** How soon a silent shell is looked at, and how rarely in the end. */
const FIRST_QUIET_MS = 20;
const SLOWEST_QUIET_MS = 1_000;
const ASK_AGAIN_MS = 100;

export interface CommandWatch {
  readonly session: Session;
  readonly framer: Framer;
  readonly clock: CallClock;
  readonly signal: AbortSignal | undefined;
}

export async function untilOver(
  frame: Frame,
  { session, framer, clock, signal }: CommandWatch,
): Promise<"over" | "late" | "taken" | "line" | "password" | "key"> {
  let quietMs = framer.readsUnnoticed ? FIRST_QUIET_MS : undefined;
  await withTimeout(Math.min(SHORT_MS, clock.limitMs), frame.done);
  while (!frame.isDone) {
    const leftMs = Math.max(0, Math.ceil(clock.limitMs - (performance.now() - clock.startedMs)));
    // A shell that reads because its command has ended is not waiting for the user; whether it has is asked again in a while.
    const onInput = frame.isAtWork;
    const hadStarted = frame.hasStarted;
    const deadlineMs = onInput ? leftMs : Math.min(leftMs, ASK_AGAIN_MS);
    const { result: yielded } = await waitOn(session, {
      from: session.endCursor,
      finishesKnown: internalsOf(session).finishes.count,
      onInput,
      ...(quietMs === undefined ? {} : { quietMs }),
      ...(deadlineMs === Number.POSITIVE_INFINITY ? {} : { deadlineMs }),
      ...(signal ? { signal } : {}),
    });
    if (frame.isDone || yielded.reason === "exited") break;
    if (yielded.reason === "deadline" && deadlineMs === leftMs) return "late";
    if (yielded.reason === "input" && frame.isAtWork) {
      const isAborted = framer.noticeAbort(frame);
      // What was seen before its beginning was the shell, at its prompt.
      if (!isAborted && hadStarted) return yielded.waitingFor;
      await nextTurn();
    }
    if (yielded.reason === "quiet") {
      // Asked first: the look takes what was printed before, and that may have told the end.
      if (framer.isShellReading() && frame.hasStarted && frame.isAtWork) return "line";
      quietMs = Math.min(2 * (quietMs ?? FIRST_QUIET_MS), SLOWEST_QUIET_MS);
    }
  }
  return frame.state.phase === "over" && frame.state.how === "taken" ? "taken" : "over";
}
