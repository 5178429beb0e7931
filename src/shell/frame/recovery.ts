/**
 * Finds out how a command without an end mark ended, because Ctrl+C or an error threw its shell back to the prompt. As
 * soon as the shell reads there, limpet asks it for its state. A command that has not started is typed again first:
 * another program may have read it from the terminal, and zsh discards the first line after a Ctrl+C at its prompt.
 * Nothing is typed while another process reads the terminal, too.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { PollPause } from "../poll-pause.ts";
import type { PromptWatch } from "../prompt/prompt-watch.ts";
import type { Frame } from "./frame.ts";
import { isShellBack } from "./judge-command.ts";
import type { RivalEnder } from "./rival-ender.ts";

/** A program that printed our prompt but does not read within this time is not the shell. */
const READS_WITHIN_MS = 2_000;
/** A shell that reads again this long after a query has not received it. */
const ANSWER_MS = 500;
const ANSWER_POLL_MS = 50;
const MAX_ASKS = 5;
/**
 * A shell that reads after so many queries is in the middle of something unfinished, such as an open quote: a person
 * has typed it, or Ctrl+C came while the shell read a query. Ctrl+C ends that. zsh discards the query after it.
 */
const ASKS_BEFORE_INTERRUPT = 2;

interface RecoveryParts {
  readonly session: Session;
  readonly prompts: PromptWatch;
  readonly rivals: RivalEnder;
  /** Called while the shell does not answer. */
  readonly checkShell: () => void;
  /** Types the command again. */
  readonly retype: () => void;
  /** Types the query for the shell's state. */
  readonly ask: () => void;
  /** Called when the shell gives no reliable answer. */
  readonly giveUp: (frame: Frame) => void;
}

export class Recovery {
  readonly #parts: RecoveryParts;
  /** An interrupt and a prompt may both start an attempt. The later one replaces one that still waits for the shell. */
  #attempts = 0;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /** Resolves when the shell has reported its state, or if a query was not necessary. */
  async attempt(frame: Frame): Promise<void> {
    if (!isOpen(frame)) return;
    this.#attempts += 1;
    const isBack = await this.#waitUntilBack(frame, this.#attempts);
    // The observation read pending output, which may have contained the end mark.
    if (!isBack || !isOpen(frame)) return;
    const { session, retype } = this.#parts;
    if (!isTouched(frame, session) && frame.dispatch({ type: "again" })) return retype();
    // The output ends at the prompt, whatever started this attempt.
    frame.closeOutput(frame.state.phase === "thrownBack" ? frame.state.promptAt : session.endCursor);
    await this.#ask(frame);
  }

  async #waitUntilBack(frame: Frame, attempt: number): Promise<boolean> {
    const { prompts, rivals, checkShell } = this.#parts;
    const { hasStarted } = frame;
    const giveUpMs = performance.now() + READS_WITHIN_MS;
    const pause = new PollPause();
    for (;;) {
      checkShell();
      const read = prompts.observeRead();
      // The observation may have started a later attempt.
      if (attempt !== this.#attempts || !isOpen(frame)) return false;
      // A prompt that arrived before the command started was not its end.
      const isTooEarly = frame.hasStarted !== hasStarted;
      // Another reader that ends restores the terminal's mode. A shell at its prompt then looks like its own `read`.
      const isBack = isShellBack(read) || (rivals.hasSignalled && read === "command");
      if (!isTooEarly && isBack) return true;
      if (isTooEarly || performance.now() > giveUpMs) {
        frame.dispatch({ type: "notBack" });
        return false;
      }
      await pause.next();
    }
  }

  async #ask(frame: Frame): Promise<void> {
    const { session, prompts, checkShell, ask, giveUp } = this.#parts;
    // Repeated, because another Ctrl+C discards what was typed.
    for (let asks = 0; asks === 0 || (isAsking(frame) && asks < MAX_ASKS); asks += 1) {
      if (asks === ASKS_BEFORE_INTERRUPT) {
        await internalsOf(session).channel.signal("SIGINT", "program");
        // A late answer: what is typed now would reach the next command.
        if (!isAsking(frame)) return;
      }
      frame.dispatch({ type: "asked" });
      ask();
      const giveUpMs = performance.now() + ANSWER_MS;
      while (isAsking(frame) && (performance.now() < giveUpMs || prompts.observeRead() === "none")) {
        await Promise.race([frame.done, sleep(ANSWER_POLL_MS)]);
        checkShell();
      }
    }
    if (isAsking(frame)) giveUp(frame);
  }
}

/** Someone typed after the command: possibly Ctrl+C, which is reported only later. */
function isTouched({ isInterrupted, startedMs }: Frame, session: Session): boolean {
  return isInterrupted || session.queuedInputBytes > 0 || internalsOf(session).lastInputMs >= startedMs;
}

/** False if the command starts after all. */
function isAsking({ state }: Frame): boolean {
  return state.phase === "asking";
}

/** Its end is not known. */
function isOpen({ state }: Frame): boolean {
  return state.phase === "typed" || state.phase === "running" || state.phase === "thrownBack";
}
