/**
 * Waits for the prompt before a command is typed. A person may have started a program in the shell, and our text would
 * go to that program: another machine, a database, a password prompt.
 */
import type { Session } from "../../session/session.ts";
import type { Frame } from "../frame/frame.ts";
import { PollPause } from "../poll-pause.ts";
import { probeOf } from "../probe-of.ts";
import { shellBusyError, unfinishedLineError } from "../shell-busy-error.ts";
import type { PromptWatch } from "./prompt-watch.ts";

export interface PromptWaitOptions {
  /** Give up at this time, on the clock of `performance.now()`. */
  readonly untilMs: number;
  readonly signal?: AbortSignal | undefined;
  /** `refuse`: give up as soon as it is clear that another program runs. Default `wait`. */
  readonly onBusy?: "wait" | "refuse" | undefined;
  /** Called before each look at a shell that is not at its prompt. */
  readonly onPoll?: (() => void) | undefined;
}

const SLOWEST_POLL_MS = 50;
/** Even on a busy machine, a shell that printed its prompt reads within this time. Nothing is refused earlier. */
const SETTLE_MS = 250;
/** A program asks only if every look in this time shows it: a single look can fall between two states of the shell. */
const ASKING_MS = 200;
/** A prompt follows its end mark within this time. After that, observe the terminal. */
const PROMPT_MS = 4;

/**
 * Resolves when the shell reads at its prompt, or has ended. Rejects with `SHELL_BUSY`, or with the signal's reason.
 */
export async function waitForPrompt(session: Session, prompts: PromptWatch, options: PromptWaitOptions): Promise<void> {
  const { signal, onPoll } = options;
  await prompts.untilPrompted(PROMPT_MS);
  const settledMs = performance.now() + SETTLE_MS;
  let askingSinceMs: number | undefined;
  const pause = new PollPause({ slowestMs: SLOWEST_POLL_MS });
  while (!session.exit) {
    const verdict = prompts.observePrompt();
    if (verdict.at === "prompt") {
      prompts.confirm(verdict);
      break;
    }
    signal?.throwIfAborted();
    if (performance.now() > settledMs) {
      askingSinceMs = (await isAsking(session, prompts)) ? (askingSinceMs ?? performance.now()) : undefined;
      refuseBusy(session, prompts, { ...options, askingSinceMs });
    }
    await pause.next();
    onPoll?.();
  }
  signal?.throwIfAborted();
}

/** Waits until the shell reads after its end mark: our prompt may be lost or replaced. Then its hooks have ended. */
export async function waitForRead(frame: Frame, prompts: PromptWatch): Promise<void> {
  await prompts.untilPrompted(PROMPT_MS);
  const pause = new PollPause({ quickPolls: 0, slowestMs: SLOWEST_POLL_MS });
  while (!isSettled(frame) && prompts.observeRead() === "none") await pause.next();
  frame.dispatch({ type: "prompt", at: frame.to ?? frame.from });
}

function isSettled({ state }: Frame): boolean {
  return state.phase !== "ended" || state.isPrompted;
}

interface BusyState extends PromptWaitOptions {
  /** Since when every look has shown a program that waits for input. */
  readonly askingSinceMs: number | undefined;
}

/** Throws `SHELL_BUSY` if waiting is pointless or not allowed. */
function refuseBusy(session: Session, prompts: PromptWatch, state: BusyState): void {
  const { askingSinceMs, onBusy, untilMs } = state;
  const nowMs = performance.now();
  const isLate = nowMs >= untilMs;
  const isIdle = prompts.unfinishedLine !== "" && ["prompt", "unsure"].includes(prompts.observeRead());
  if (isIdle) throw unfinishedLineError(session.id, prompts.unfinishedLine);
  if (askingSinceMs !== undefined && (isLate || nowMs >= askingSinceMs + ASKING_MS)) {
    const { at, why } = prompts.observePrompt();
    if (at !== "prompt") throw shellBusyError("typedAsking", session.id, why);
  }
  const isRefused = onBusy === "refuse" && askingSinceMs === undefined && !probeOf(session).isProgramInForeground();
  if (isRefused || isLate) throw shellBusyError("typedRunning", session.id);
}

async function isAsking(session: Session, prompts: PromptWatch): Promise<boolean> {
  const waitingFor = await session.waitingFor();
  const isWaiting = (waitingFor !== null && waitingFor !== "unknown") || prompts.observeRead() !== "none";
  return isWaiting && prompts.observePrompt().at !== "prompt";
}
