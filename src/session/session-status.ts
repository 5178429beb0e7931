/** Reads what a session is doing, with the fact that shows it. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Exit } from "../base/exit.ts";
import type { ListeningPort } from "../linux/files/list-listening.ts";
import { describeBasis } from "../probe/describe-basis.ts";
import { type InputState, type InputVerdict, judgeUnobserved } from "../probe/judge-input-state.ts";
import type { SessionInternals } from "./session-internals.ts";
import type { Waitable } from "./wait/wait-for.ts";

/**
 * What a session is doing. `running`: it works or is silent; a silent program counts as running, never as done.
 * `idle`: it is a prepared shell at its prompt and runs no command. `waiting`: it waits for input. `fullscreen`: it
 * uses the alternate screen, as editors and pagers do. `stopped`: by Ctrl+Z or a signal. `ended`: the program has
 * ended.
 */
export interface SessionStatus {
  readonly state: "running" | "idle" | "waiting" | "fullscreen" | "stopped" | "ended";
  /** What the program waits for, in any state. Null: nothing. */
  readonly waitingFor: "line" | "password" | "key" | "unknown" | null;
  /** The name of the program that has the terminal, such as an editor in a shell. Null: the program itself. */
  readonly foreground: string | null;
  /** How the program ended; undefined while it runs. */
  readonly exit: Exit | undefined;
  /** The TCP ports that the session listens on. */
  readonly listening: readonly ListeningPort[];
  /** The fact behind `state`, in words. */
  readonly evidence: string;
}

/** Output of a container arrives within milliseconds, or later on a busy machine. */
const ARRIVING_MS = 2_000;
const ARRIVING_POLL_MS = 2;

export async function readStatus(internals: SessionInternals): Promise<SessionStatus> {
  const { channel, modeTracker } = internals;
  const isStopped = channel.probe?.isStopped() ?? false;
  const isFullScreen = modeTracker.isAlternateScreen;
  const verdict = internals.exit ? undefined : await observeTwice(internals);
  const listening = await internals.listening();
  const { exit, isIdle, foreground } = internals;
  return judgeStatus({ exit, verdict, listening, isStopped, isIdle, isFullScreen, foreground });
}

/** What the program waits for now; null: nothing. */
export async function readWaitingFor(target: Waitable): Promise<SessionStatus["waitingFor"]> {
  return target.exit ? null : waitedFor((await observeTwice(target)).state);
}

/** An uncertain verdict must be the same a little later, without output in between, or follow enough silence. */
async function observeTwice(target: Waitable): Promise<InputVerdict> {
  const first = await observeArrived(target);
  if (first.certainty === "once") return first;
  const lastEventMs = Math.max(target.store.lastMs, target.lastInputMs);
  const quietMs = target.inputWatch.quietNeededMs(first, lastEventMs);
  if (quietMs > 0) {
    if (first.state === "unknown" || performance.now() - lastEventMs >= quietMs) return first;
    return judgeUnobserved(quietMs === Number.POSITIVE_INFINITY ? "unsure" : "moved");
  }
  const { end } = target.store;
  await sleep(target.inputWatch.confirmNeededMs(first));
  const second = target.observeInput();
  if (second.fingerprint === first.fingerprint && target.store.end === end) return second;
  return judgeUnobserved("moved");
}

/** Waits a short time for output of a container that is still in transit. */
async function observeArrived(target: Waitable): Promise<InputVerdict> {
  const giveUpMs = performance.now() + ARRIVING_MS;
  for (;;) {
    const verdict = target.observeInput();
    if (verdict.basis.kind !== "arriving" || target.exit || performance.now() >= giveUpMs) return verdict;
    await sleep(ARRIVING_POLL_MS);
  }
}

interface StatusFacts {
  readonly isStopped: boolean;
  readonly isIdle: boolean;
  readonly isFullScreen: boolean;
  readonly exit: Exit | undefined;
  readonly verdict: InputVerdict | undefined;
  readonly listening: readonly ListeningPort[];
  readonly foreground: string | null;
}

/** Pure. */
export function judgeStatus(given: StatusFacts): SessionStatus {
  const { exit, verdict, listening, isStopped, isIdle, isFullScreen, foreground } = given;
  const ended = { state: "ended", waitingFor: null, foreground: null, evidence: "waitpid reported its exit" } as const;
  if (exit) return { ...ended, exit, listening };
  const waitingFor = waitedFor(verdict?.state ?? "none");
  const facts = { waitingFor, foreground, exit: undefined, listening };
  if (isStopped) return { ...facts, state: "stopped", evidence: "the kernel lists the program as stopped" };
  if (isIdle) return { ...facts, state: "idle", evidence: "the shell is at its prompt and runs no command" };
  if (isFullScreen) return { ...facts, state: "fullscreen", evidence: "it has switched to the alternate screen" };
  const isWaiting = waitingFor !== null && waitingFor !== "unknown";
  return { ...facts, state: isWaiting ? "waiting" : "running", evidence: verdict ? describeBasis(verdict.basis) : "" };
}

function waitedFor(state: InputState): SessionStatus["waitingFor"] {
  return state === "none" ? null : state;
}
