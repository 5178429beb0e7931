/** Waits until a command ends, its program waits for input, or the caller's time is up. */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../base/async/with-timeout.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { WaitedFor } from "../session/wait/decide-wait.ts";
import { waitOn } from "../session/wait/wait-on.ts";
import { type CallDeadline, leftMs } from "./call-deadline.ts";
import type { Frame } from "./frame/frame.ts";
import type { Framer } from "./frame/framer.ts";
import { judgeCommand } from "./frame/judge-command.ts";

/** A command that ends sooner is not observed, which would only slow it down. Most commands are that short. */
const SHORT_MS = 4;
/** The first and the longest interval at which a silent shell is observed, if only that shows that it reads. */
const FIRST_QUIET_MS = 20;
const SLOWEST_QUIET_MS = 1_000;
const ASK_AGAIN_MS = 100;
/** How often to look whether a process that reads beside the shell has ended. */
const RIVAL_POLL_MS = 20;

export interface CommandWait {
  readonly session: Session;
  readonly framer: Framer;
  readonly deadline: CallDeadline;
  readonly signal: AbortSignal | undefined;
}

/**
 * `late`: the caller's time is up. `taken`: another program read the command from the terminal, and it never starts.
 */
export type CommandWaitResult = "over" | "late" | "taken" | WaitedFor;

export async function waitForCommand(
  frame: Frame,
  { session, framer, deadline, signal }: CommandWait,
): Promise<CommandWaitResult> {
  let quietMs = framer.pollsForInput ? FIRST_QUIET_MS : SLOWEST_QUIET_MS;
  await withTimeout(Math.min(SHORT_MS, deadline.limitMs), frame.done);
  while (!frame.isDone) {
    const callMs = leftMs(deadline);
    // A shell that reads because its command has ended does not wait for the user, so the state is checked again soon.
    const onInput = frame.isAtWork;
    const hadStarted = frame.hasStarted;
    const deadlineMs = onInput ? callMs : Math.min(callMs, ASK_AGAIN_MS);
    const { result } = await waitOn(session, {
      finishesKnown: internalsOf(session).finishes.count,
      from: session.endCursor,
      onInput,
      quietMs,
      ...(deadlineMs === Number.POSITIVE_INFINITY ? {} : { deadlineMs }),
      ...(signal ? { signal } : {}),
    });
    if (frame.isDone || result.reason === "exited") break;
    if (result.reason === "deadline" && deadlineMs === callMs) return "late";
    if (result.reason === "input" && frame.isEndingRivals) {
      await sleep(RIVAL_POLL_MS);
      continue;
    }
    if (result.reason === "input" && frame.isAtWork) {
      // Observed before the state is read, because the observation may find the end mark.
      const read = framer.prompts.observeRead();
      const verdict = judgeCommand(frame.state, read);
      if (verdict === "lost") framer.recover(frame);
      // Before the start, the observed reader was the shell at its prompt.
      else if (verdict !== "settled" && hadStarted) return result.waitingFor;
      await nextTurn();
    }
    if (result.reason === "quiet") {
      framer.checkShell();
      const isReading = framer.pollsForInput && framer.prompts.observeRead() !== "none";
      if (isReading && frame.hasStarted && frame.isAtWork) return "line";
      quietMs = Math.min(2 * quietMs, SLOWEST_QUIET_MS);
    }
  }
  return frame.state.phase === "ended" && frame.state.how === "taken" ? "taken" : "over";
}
