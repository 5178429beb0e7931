/**
 * Ends a command so that its shell can be used again: Ctrl+C, then TERM and KILL to what is in the foreground, then KILL to
 * all that the command has started. A shell that does not come back even then is killed itself.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { SHELL_ANSWER_MS } from "../base/limits.ts";
import type { Session } from "../session/session.ts";
import type { Frame } from "./frame.ts";
import type { Framer } from "./framer.ts";

/** Programs that clean up after Ctrl+C do it within this, or they are ended less kindly. */
const GRACE_MS = 500;
/** A loop in the shell starts the next program when one is killed: Ctrl+C has to hit it in between. */
const ROUNDS = 3;

export async function endCommand(session: Session, framer: Framer, frame: Frame): Promise<void> {
  await interrupt(session, framer);
  if (await isDoneWithin(frame, GRACE_MS)) return;
  await signalForeground(session, "SIGTERM");
  if (await isDoneWithin(frame, GRACE_MS)) return;
  for (let round = 0; round < ROUNDS; round += 1) {
    await signalForeground(session, "SIGKILL");
    await session.channel.signal("SIGKILL", { since: frame.processes });
    // Not at once: the shell may be back by then, and would take it for its next command.
    if (await isDoneWithin(frame, GRACE_MS)) return;
    await interrupt(session, framer);
    if (await isDoneWithin(frame, GRACE_MS)) return;
  }
  await session.channel.signal("SIGKILL", "program");
  await frame.done;
}

/** Nothing is left to interrupt once the shell was seen to be back: that would only hit what it is asked. */
export async function interrupt(session: Session, framer: Framer): Promise<void> {
  if (framer.frame && !framer.frame.isAtWork) return;
  await session.channel.signal("SIGINT", "foreground");
  // One that was stopped in the background gets it when it goes on.
  framer.expectAbort();
}

/** The shell itself is spared: it does what its programs do not let it do. */
async function signalForeground(session: Session, name: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (!session.channel.isProgramInForeground()) await session.channel.signal(name, "foreground");
}

async function isDoneWithin(frame: Frame, ms: number): Promise<boolean> {
  await Promise.race([frame.done, sleep(ms, undefined, { ref: false })]);
  // Its command is over, and it is about to say so.
  if (!frame.isDone && !frame.isAtWork)
    await Promise.race([frame.done, sleep(SHELL_ANSWER_MS, undefined, { ref: false })]);
  return frame.isDone;
}
