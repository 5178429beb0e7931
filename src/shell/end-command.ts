/**
 * Ends a command so that its shell can be used again: Ctrl+C, then TERM and KILL to what is in the foreground, then KILL to
 * all that the command has started. Where it is the shell's own `read` that goes on, the input ends for it. A shell that does
 * not come back even then is killed itself.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { SHELL_ANSWER_MS } from "../base/limits.ts";
import type { Session } from "../session/session.ts";
import type { Frame } from "./frame.ts";
import type { Framer } from "./framer.ts";
import { judgeCommand } from "./judge-command.ts";
import { probeOf } from "./probe-of.ts";

/** Programs that clean up after Ctrl+C do it within this, or they are ended less kindly. */
const GRACE_MS = 500;
const LOOK_EVERY_MS = 50;
/** A loop in the shell starts the next program when one is killed: Ctrl+C has to hit it in between. */
const ROUNDS = 3;

/** A `read` whose trap returns goes on after Ctrl+C; so does one that ignores it. One after the other may follow. */
const MOST_INPUT_ENDS = 6;
/** The end of its input may mean nothing to it, and a line may. */
const FIRST_LINES_AT = 3;
const NOTHING = Buffer.alloc(0);
const LINE_END = Buffer.from("\n");

export async function endCommand(session: Session, framer: Framer, frame: Frame): Promise<void> {
  const isBack = comingBack(session, framer, frame);
  await interrupt(session, framer);
  if (await isBack()) return;
  await signalForeground(session, "SIGTERM");
  if (await isBack()) return;
  for (let round = 0; round < ROUNDS; round += 1) {
    await signalForeground(session, "SIGKILL");
    await session.channel.signal("SIGKILL", { since: frame.processes });
    // Not at once: the shell may be back by then, and would take it for its next command.
    if (await isBack()) return;
    await interrupt(session, framer);
    if (await isBack()) return;
  }
  await session.channel.signal("SIGKILL", "program");
  await frame.done;
}

/** Waits for the shell to come back. If it reads for its command meanwhile, there is nothing for it to read. */
function comingBack(session: Session, framer: Framer, frame: Frame): () => Promise<boolean> {
  let ended = 0;
  return async () => {
    let giveUpMs = performance.now() + GRACE_MS;
    while (!(await isDoneWithin(frame, LOOK_EVERY_MS))) {
      const read = ended < MOST_INPUT_ENDS ? framer.observeRead() : "none";
      const verdict = judgeCommand(frame.state, read);
      if (verdict === "lost") framer.recover(frame);
      if (verdict === "reading") {
        const readsLines = session.terminalMode?.isCanonical === true;
        probeOf(session).typeUnseen(readsLines && ended < FIRST_LINES_AT ? NOTHING : LINE_END);
        ended += 1;
        giveUpMs = performance.now() + GRACE_MS;
      }
      if (performance.now() >= giveUpMs) return false;
    }
    return true;
  };
}

/** Nothing is left to interrupt once the shell was seen to be back: that would only hit what it is asked. */
export async function interrupt(session: Session, framer: Framer): Promise<void> {
  // While the shell reads our lines, it would throw away the first of them and run the rest by itself.
  await framer.untilStarted();
  if (framer.frame && !framer.frame.isAtWork) return;
  await session.channel.signal("SIGINT", "foreground");
  // One that was stopped in the background gets it when it goes on.
  framer.noteInterrupt();
}

/** The shell itself is spared: it does what its programs do not let it do. */
async function signalForeground(session: Session, name: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (!probeOf(session).isProgramInForeground()) await session.channel.signal(name, "foreground");
}

async function isDoneWithin(frame: Frame, ms: number): Promise<boolean> {
  await Promise.race([frame.done, sleep(ms, undefined, { ref: false })]);
  // Its command is over, and it is about to say so.
  if (!frame.isDone && !frame.isAtWork)
    await Promise.race([frame.done, sleep(SHELL_ANSWER_MS, undefined, { ref: false })]);
  return frame.isDone;
}
