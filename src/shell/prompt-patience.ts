/**
 * Waits for the prompt before anything is typed. A person may have started something in the shell, and what we type would
 * go to that: to another machine, to a data base, into a password.
 */
import { LimpetError } from "../base/limpet-error.ts";
import type { Session } from "../session/session.ts";
import { nextPauseMs, untilNextLook } from "./look-again.ts";
import { probeOf } from "./probe-of.ts";
import type { PromptWatch } from "./prompt-watch.ts";

export interface PromptPatience {
  /** Until then, on the clock of `performance.now()`. */
  readonly untilMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onBusy?: "wait" | "refuse" | undefined;
}

const FIRST_LOOK_MS = 1;
const SLOWEST_LOOK_MS = 50;
/** A shell that has just printed its prompt reads within this, however busy the machine is: nothing is refused before. */
const SETTLE_MS = 250;

/** Resolves when the shell reads at its prompt, or is gone. Rejects with `SHELL_BUSY`, or with the signal's reason. */
export async function untilAtPrompt(session: Session, prompts: PromptWatch, patience: PromptPatience): Promise<void> {
  const { untilMs, signal, onBusy } = patience;
  const settledMs = performance.now() + SETTLE_MS;
  let pauseMs = FIRST_LOOK_MS;
  for (let looks = 0; !session.exit && !prompts.isAtPrompt(); looks += 1) {
    signal?.throwIfAborted();
    const isSettled = performance.now() > settledMs;
    if (isSettled && (await isAsking(session, prompts))) throw busy(session, "waits for input");
    const isInVain = onBusy === "refuse" && !probeOf(session).isProgramInForeground();
    if (isSettled && (isInVain || performance.now() >= untilMs)) throw busy(session, "runs");
    await untilNextLook(looks, pauseMs);
    pauseMs = nextPauseMs(looks, pauseMs, SLOWEST_LOOK_MS);
  }
  signal?.throwIfAborted();
}

async function isAsking(session: Session, prompts: PromptWatch): Promise<boolean> {
  const waitingFor = await session.waitingFor();
  const isWaiting = (waitingFor !== null && waitingFor !== "unknown") || prompts.isShellReading();
  return isWaiting && !prompts.isAtPrompt();
}

function busy({ id }: Session, what: string): LimpetError {
  return new LimpetError(
    "SHELL_BUSY",
    `Something that was typed into the shell of session ${id} still ${what} there, and the command was not begun. Answer it or end it with Ctrl+C by writing to session ${id}, or use another shell.`,
  );
}
