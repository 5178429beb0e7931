/**
 * Waits for the prompt before a command is typed. A person may have started a program in the shell, and our text would
 * go to that program: another machine, a database, a password prompt.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../../session/session.ts";
import type { Frame } from "../frame/frame.ts";
import { PollPause } from "../poll-pause.ts";
import { probeOf } from "../probe-of.ts";
import { begunLineError, shellBusyError } from "../shell-busy-error.ts";
import type { PromptWatch } from "./prompt-watch.ts";

export interface PromptWaitOptions {
  /** Give up at this time, on the clock of `performance.now()`. */
  readonly untilMs: number;
  readonly signal?: AbortSignal | undefined;
  /** `refuse`: give up as soon as it is clear that another program runs. Default `wait`. */
  readonly onBusy?: "wait" | "refuse" | undefined;
}

const SLOWEST_POLL_MS = 50;
/** Even on a busy machine, a shell that printed its prompt reads within this time. Nothing is refused earlier. */
const SETTLE_MS = 250;
/** A prompt follows its end mark within this time. After that, observe the terminal. */
const PROMPT_MS = 4;

/**
 * Resolves when the shell reads at its prompt, or has ended. Rejects with `SHELL_BUSY`, or with the signal's reason.
 */
export async function waitForPrompt(session: Session, prompts: PromptWatch, options: PromptWaitOptions): Promise<void> {
  const { signal } = options;
  const settledMs = performance.now() + SETTLE_MS;
  const pause = new PollPause({ slowestMs: SLOWEST_POLL_MS });
  while (!session.exit) {
    const verdict = prompts.observePrompt();
    if (verdict.at === "prompt") {
      prompts.confirm(verdict);
      break;
    }
    signal?.throwIfAborted();
    if (performance.now() > settledMs) await refuseBusy(session, prompts, options);
    await pause.next();
  }
  signal?.throwIfAborted();
}

/** Resolves when the shell reads after its end mark, or the command is over: our prompt may be lost or replaced. */
export async function waitForRead(frame: Frame, prompts: PromptWatch): Promise<void> {
  await sleep(PROMPT_MS);
  const pause = new PollPause({ quickPolls: 0, slowestMs: SLOWEST_POLL_MS });
  while (!frame.isDone && prompts.observeRead() === "none") await pause.next();
}

/** What `judgePrompt` says of a line without its end. */
const BEGUN_LINE = "somebody began to type a line";

/** Throws `SHELL_BUSY` if waiting is pointless or not allowed. */
async function refuseBusy(session: Session, prompts: PromptWatch, options: PromptWaitOptions): Promise<void> {
  const verdict = prompts.observePrompt();
  // Nothing runs, and only Enter or an erase would end this. The terminal has echoed what was typed.
  if (verdict.at === "elsewhere" && verdict.why === BEGUN_LINE) {
    throw begunLineError(session.id, (await session.tail(1)).text);
  }
  if (await isAsking(session, prompts)) throw shellBusyError("typedAsking", session.id);
  const isRefused = options.onBusy === "refuse" && !probeOf(session).isProgramInForeground();
  if (isRefused || performance.now() >= options.untilMs) throw shellBusyError("typedRunning", session.id);
}

async function isAsking(session: Session, prompts: PromptWatch): Promise<boolean> {
  const waitingFor = await session.waitingFor();
  const isWaiting = (waitingFor !== null && waitingFor !== "unknown") || prompts.observeRead() !== "none";
  return isWaiting && prompts.observePrompt().at !== "prompt";
}
