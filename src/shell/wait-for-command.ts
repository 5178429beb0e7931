/** Waits for the end of a command, for a question of the program in it, or for the end of the caller's time. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { withTimeout } from "../base/with-timeout.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import { waitOn } from "../session/wait/wait-on.ts";
import { type CallDeadline, leftMs } from "./call-deadline.ts";
import type { Frame } from "./frame/frame.ts";
import type { Framer } from "./frame/framer.ts";
import { judgeCommand } from "./frame/judge-command.ts";

/** A command that ends sooner is not observed, which would only take time from it. Most are that short. */
const SHORT_MS = 4;
/** How soon a silent shell is observed, and how rarely in the end. */
const FIRST_QUIET_MS = 20;
const SLOWEST_QUIET_MS = 1_000;
const ASK_AGAIN_MS = 100;

export interface CommandWait {
  readonly session: Session;
  readonly framer: Framer;
  readonly deadline: CallDeadline;
  readonly signal: AbortSignal | undefined;
}

/** `late`: the caller's time is up. `taken`: another program read the command off the terminal, and it never starts. */
export type CommandWaitResult = "over" | "late" | "taken" | "line" | "password" | "key";

export async function waitForCommand(
  frame: Frame,
  { session, framer, deadline, signal }: CommandWait,
): Promise<CommandWaitResult> {
  let quietMs = framer.pollsForInput ? FIRST_QUIET_MS : undefined;
  await withTimeout(Math.min(SHORT_MS, deadline.limitMs), frame.done);
  while (!frame.isDone) {
    const callMs = leftMs(deadline);
    // A shell that reads because its command has ended does not wait for the user; whether it has is asked again in a while.
    const onInput = frame.isAtWork;
    const hadStarted = frame.hasStarted;
    const deadlineMs = onInput ? callMs : Math.min(callMs, ASK_AGAIN_MS);
    const { result } = await waitOn(session, {
      finishesKnown: internalsOf(session).finishes.count,
      from: session.endCursor,
      onInput,
      ...(quietMs === undefined ? {} : { quietMs }),
      ...(deadlineMs === Number.POSITIVE_INFINITY ? {} : { deadlineMs }),
      ...(signal ? { signal } : {}),
    });
    if (frame.isDone || result.reason === "exited") break;
    if (result.reason === "deadline" && deadlineMs === callMs) return "late";
    if (result.reason === "input" && frame.isAtWork) {
      // Observed before the state is asked for: the observation may bring the end.
      const read = framer.observeRead();
      const verdict = judgeCommand(frame.state, read);
      if (verdict === "lost") framer.recover(frame);
      // What was seen before the start was the shell at its prompt.
      else if (verdict !== "settled" && hadStarted) return result.waitingFor;
      await nextTurn();
    }
    if (result.reason === "quiet") {
      const isReading = framer.observeRead() !== "none";
      if (isReading && frame.hasStarted && frame.isAtWork) return "line";
      quietMs = Math.min(2 * (quietMs ?? FIRST_QUIET_MS), SLOWEST_QUIET_MS);
    }
  }
  return frame.state.phase === "over" && frame.state.how === "taken" ? "taken" : "over";
}
