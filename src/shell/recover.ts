/**
 * A command that was aborted, by Ctrl+C or by an error that throws the shell back, has no end mark. When the shell reads at its
 * prompt all the same, it is asked for its state. One that has not begun is typed once more before: somebody else may have read
 * it off the terminal, and zsh throws away the first line after a Ctrl+C at its prompt.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../session/session.ts";
import type { Frame } from "./frame.ts";
import { untilNextLook } from "./look-again.ts";
import type { PromptWatch } from "./prompt-watch.ts";

/** Whoever printed a prompt and does not read after this long was not the shell. */
const READS_WITHIN_MS = 2_000;
/** A shell that was asked and reads again after this long has not got the question. */
const ANSWER_MS = 500;
const ANSWER_LOOK_MS = 50;
const MOST_ASKS = 5;

export interface RecoveryParts {
  readonly session: Session;
  readonly prompts: PromptWatch;
  /** Types the command once more. */
  readonly again: () => Promise<void>;
  /** Types the question. */
  readonly ask: () => Promise<void>;
}

/** Returns when the shell has told its state, or when nothing was to be asked. */
export async function recover(frame: Frame, { session, prompts, again, ask }: RecoveryParts): Promise<void> {
  if (!isOpen(frame)) return;
  const isBack = await isBackInTime(frame, prompts);
  // The look has taken what was printed before, which may have told the end. And an interrupt and a prompt may both have come
  // here: only one asks.
  if (!isBack || !isOpen(frame)) return;
  if (!isTouched(frame, session) && frame.happen({ type: "again" })) return await again();
  // The prompt is where the output ends, whoever noticed first that the shell is back: an interrupt or the prompt.
  frame.closeOutput(frame.state.phase === "thrownBack" ? frame.state.promptAt : session.endCursor);
  // More than once: a further Ctrl+C throws away what was typed.
  for (let asks = 0; asks === 0 || (isAsked(frame) && asks < MOST_ASKS); asks += 1) {
    frame.happen({ type: "asked" });
    await ask();
    const giveUpMs = performance.now() + ANSWER_MS;
    while (isAsked(frame) && (performance.now() < giveUpMs || !prompts.isShellReading())) await sleep(ANSWER_LOOK_MS);
  }
  // Nothing of ours can be run there any more, and whoever waits for an answer would wait for ever.
  if (isAsked(frame)) await session.channel.signal("SIGKILL", "program");
}

async function isBackInTime(frame: Frame, prompts: PromptWatch): Promise<boolean> {
  const { hasStarted } = frame;
  const giveUpMs = performance.now() + READS_WITHIN_MS;
  // A prompt alone says nothing: whoever knows it can print it. And a shell whose own `read` goes on after Ctrl+C reads, too.
  for (let looks = 0; !isBack(frame, prompts); looks += 1) {
    await untilNextLook(looks);
    if (!isOpen(frame)) return false;
    // A prompt that came before the command has begun was not its end.
    if (frame.hasStarted !== hasStarted || performance.now() > giveUpMs) {
      frame.happen({ type: "notBack" });
      return false;
    }
  }
  return true;
}

/** Before its beginning, the shell that reads reads for nobody else: half of our line may be all that Ctrl+C has left of it. */
function isBack({ hasStarted, isInterrupted }: Frame, prompts: PromptWatch): boolean {
  return prompts.isReadingLikePrompt() || (!hasStarted && isInterrupted && prompts.isShellReading());
}

/** Somebody has typed since it was typed: that may have been Ctrl+C, which is told only later. */
function isTouched({ isInterrupted, startedMs }: Frame, { queuedInputBytes, lastInputMs }: Session): boolean {
  return isInterrupted || queuedInputBytes > 0 || lastInputMs >= startedMs;
}

/** It has begun after all where it is no longer asking. */
function isAsked({ state }: Frame): boolean {
  return state.phase === "asking";
}

/** All of it was typed, and nothing is known of its end. */
function isOpen({ state }: Frame): boolean {
  return state.phase === "typed" || state.phase === "running" || state.phase === "thrownBack";
}
