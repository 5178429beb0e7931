/**
 * Ends a command so that its shell can be used again: Ctrl+C, then TERM to the foreground program, then SIGINT to the
 * shell and KILL to everything that the command has started. If the shell's own `read` continues, its input ends. A
 * shell that does not come back even then is killed itself.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { SHELL_ANSWER_MS } from "../base/limits.ts";
import { slowness } from "../linux/processor-load.ts";
import { watchForStarving } from "../probe/watch-for-starving.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { Frame } from "./frame/frame.ts";
import type { Framer } from "./frame/framer.ts";
import { judgeCommand } from "./frame/judge-command.ts";
import { probeOf } from "./probe-of.ts";

/** How long a program may clean up after each step. On a busy machine longer, up to so many times. */
const GRACE_MS = 500;
const MOST_SLOWNESS = 4;
const POLL_MS = 50;
/** However long each of them takes. On an idle machine, twice as many fit into the time. */
const MIN_POLLS = GRACE_MS / POLL_MS / 2;
/** The shell may be starting a program, and lose its SIGINT. */
const ROUNDS = 3;

/** A `read` continues after Ctrl+C if it ignores it or if its trap returns, and several may follow each other. */
const MAX_INPUT_ENDS = 6;
/** From this attempt on, limpet types an empty line: a `read` may ignore the end of its input. */
const FIRST_LINE_AT = 3;
const NOTHING = Buffer.alloc(0);
const LINE_END = Buffer.from("\n");

export async function endCommand(session: Session, framer: Framer, frame: Frame): Promise<void> {
  const isBack = watchForReturn(session, framer, frame);
  await interrupt(session, framer);
  if (await isBack()) return;
  await signalForeground(session, "SIGTERM");
  if (await isBack()) return;
  for (let round = 0; round < ROUNDS; round += 1) {
    await interruptShell(session, framer);
    await signalForeground(session, "SIGKILL");
    await internalsOf(session).channel.signal("SIGKILL", { since: frame.processes });
    // Not at once: the shell may be back by then, and Ctrl+C would hit its next command.
    if (await isBack()) return;
    const isStarving = watchShellForStarving(session);
    await interrupt(session, framer);
    if (await isBack()) return;
    while (isStarving()) if (await isBack()) return;
  }
  await internalsOf(session).channel.signal("SIGKILL", "program");
  await frame.done;
}

/**
 * Returns a function that waits for the shell to come back. If the shell reads for its command in the meantime, its
 * input ends.
 */
function watchForReturn(session: Session, framer: Framer, frame: Frame): () => Promise<boolean> {
  let ended = 0;
  return async () => {
    let giveUpMs = performance.now() + graceMs();
    let polls = 0;
    while (!(await isDoneWithin(frame, POLL_MS))) {
      polls += 1;
      const read = ended < MAX_INPUT_ENDS ? framer.prompts.observeRead() : "none";
      const verdict = judgeCommand(frame.state, read);
      if (verdict === "lost") framer.recover(frame);
      if (verdict === "reading") {
        const readsLines = session.terminalMode?.isCanonical === true;
        probeOf(session).typeUnseen(readsLines && ended < FIRST_LINE_AT ? NOTHING : LINE_END);
        ended += 1;
        giveUpMs = performance.now() + graceMs();
        polls = 0;
      }
      // What the shell has reported is read between two polls: limpet itself may have had no processor time.
      if (polls >= MIN_POLLS && performance.now() >= giveUpMs) return false;
    }
    return true;
  };
}

/**
 * A shell that gets no processor time cannot have come back, however long ago Ctrl+C was sent. Nor can one that waits
 * for a program that gets none, not even to die of its signal.
 */
function watchShellForStarving(session: Session): () => boolean {
  const probe = probeOf(session);
  const isShellStarving = watchForStarving({ probe, pid: session.pid });
  const isProgramStarving = watchForStarving({ probe, pid: probe.foreground()?.pid ?? null });
  return () => isShellStarving() || isProgramStarving();
}

/** A shell needs time between two Ctrl+C: the second one would hit what it does on its way back. */
function graceMs(): number {
  return GRACE_MS * slowness(MOST_SLOWNESS);
}

/**
 * Does nothing once the shell is back: Ctrl+C would only hit our query. A shell that was asked for its state too early
 * is not back: it runs the command in the foreground.
 */
export async function interrupt(session: Session, framer: Framer): Promise<void> {
  const { frame } = framer;
  if (frame && !frame.isAtWork && (frame.isDone || probeOf(session).isProgramInForeground())) return;
  framer.discardTyped();
  await internalsOf(session).channel.signal("SIGINT", "foreground");
  // A program that was stopped in the background gets the signal when it continues.
  framer.noteInterrupt();
}

/**
 * Ctrl+C does not reach a shell that waits for a program: a loop would start the next one. Unlike `interrupt`, this
 * leaves what was typed to the program, which still runs.
 */
async function interruptShell(session: Session, framer: Framer): Promise<void> {
  if (!framer.frame?.isAtWork) return;
  await internalsOf(session).channel.signal("SIGINT", "program");
  framer.noteInterrupt();
}

/** Never the shell itself: it comes back once its programs are gone. */
async function signalForeground(session: Session, name: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (!probeOf(session).isProgramInForeground()) await internalsOf(session).channel.signal(name, "foreground");
}

async function isDoneWithin(frame: Frame, ms: number): Promise<boolean> {
  await Promise.race([frame.done, sleep(ms, undefined, { ref: false })]);
  // The command is over, and the shell is about to report it.
  if (!frame.isDone && !frame.isAtWork)
    await Promise.race([frame.done, sleep(SHELL_ANSWER_MS, undefined, { ref: false })]);
  return frame.isDone;
}
