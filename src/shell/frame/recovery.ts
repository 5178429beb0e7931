/**
 * Finds out how a command ended that has no end mark, because Ctrl+C or an error threw its shell back to the prompt. As soon as
 * the shell reads there, it is asked for its state. A command that has not started is typed again before that:
 * another program may have read it off the terminal, and zsh discards the first line after a Ctrl+C at its prompt.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { PollPause } from "../poll-pause.ts";
import type { PromptWatch } from "../prompt/prompt-watch.ts";
import type { Frame } from "./frame.ts";
import { isShellBack } from "./judge-command.ts";

/** A program that printed our prompt and does not read within this is not the shell. */
const READS_WITHIN_MS = 2_000;
/** A shell that was asked and reads again after this has not received the question. */
const ANSWER_MS = 500;
const ANSWER_POLL_MS = 50;
const MAX_ASKS = 5;

interface RecoveryParts {
  readonly session: Session;
  readonly prompts: PromptWatch;
  /** Types the command again. */
  readonly retype: (frame: Frame) => Promise<void>;
  /** Types the question for the shell's state. */
  readonly ask: (frame: Frame) => Promise<void>;
}

export class Recovery {
  readonly #parts: RecoveryParts;
  /** An interrupt and a prompt may both begin an attempt: the later one replaces the one that still waits for the shell. */
  #attempts = 0;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /** Returns when the shell has reported its state, or if there was nothing to ask. */
  async attempt(frame: Frame): Promise<void> {
    if (!isOpen(frame)) return;
    this.#attempts += 1;
    const isBack = await this.#waitUntilBack(frame, this.#attempts);
    // The observation took what was printed before, which may have reported the end.
    if (!isBack || !isOpen(frame)) return;
    const { session, retype } = this.#parts;
    if (!isTouched(frame, session) && frame.dispatch({ type: "again" })) return await retype(frame);
    // The prompt is where the output ends, whatever began this attempt.
    frame.closeOutput(frame.state.phase === "thrownBack" ? frame.state.promptAt : session.endCursor);
    await this.#ask(frame);
  }

  async #waitUntilBack(frame: Frame, attempt: number): Promise<boolean> {
    const { prompts } = this.#parts;
    const { hasStarted } = frame;
    const giveUpMs = performance.now() + READS_WITHIN_MS;
    const pause = new PollPause();
    for (;;) {
      const read = prompts.observeRead();
      // The observation may have begun a later attempt.
      if (attempt !== this.#attempts || !isOpen(frame)) return false;
      // A prompt that came before the command has started was not its end.
      const isTooEarly = frame.hasStarted !== hasStarted;
      if (!isTooEarly && isShellBack(frame.state, read)) return true;
      if (isTooEarly || performance.now() > giveUpMs) {
        frame.dispatch({ type: "notBack" });
        return false;
      }
      await pause.next();
    }
  }

  async #ask(frame: Frame): Promise<void> {
    const { session, prompts, ask } = this.#parts;
    // More than once: another Ctrl+C discards what was typed.
    for (let asks = 0; asks === 0 || (isAsking(frame) && asks < MAX_ASKS); asks += 1) {
      frame.dispatch({ type: "asked" });
      await ask(frame);
      const giveUpMs = performance.now() + ANSWER_MS;
      while (isAsking(frame) && (performance.now() < giveUpMs || prompts.observeRead() === "none")) {
        await sleep(ANSWER_POLL_MS);
      }
    }
    // The shell cannot run anything of ours any more, and whoever waits for an answer would wait for ever.
    if (isAsking(frame)) await internalsOf(session).channel.signal("SIGKILL", "program");
  }
}

/** Somebody typed after the command: that may have been Ctrl+C, which is reported only later. */
function isTouched({ isInterrupted, startedMs }: Frame, session: Session): boolean {
  return isInterrupted || session.queuedInputBytes > 0 || internalsOf(session).lastInputMs >= startedMs;
}

/** A command that starts after all ends the asking. */
function isAsking({ state }: Frame): boolean {
  return state.phase === "asking";
}

/** All of the command was typed, and nothing is known of its end. */
function isOpen({ state }: Frame): boolean {
  return state.phase === "typed" || state.phase === "running" || state.phase === "thrownBack";
}
