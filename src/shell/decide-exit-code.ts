/** Pure: decides the exit code and the signal of a command from what its shell reported. */
import { constants } from "node:os";
import type { Exit } from "../base/exit.ts";
import { asksOf, endOf, type FrameState, isOver, pastOf } from "./frame/frame-state.ts";

/** The exit code that shells report for SIGINT: 128 plus its number. */
const INTERRUPTED = 130;
/** Shells add this to the number of the signal that ended a command. */
const SIGNAL_BASE = 128;

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** 0 to 255; null while the command runs, and if no code was reported. `shellExit`: how the shell itself ended. */
export function decideExitCode(state: FrameState, shellExit: Exit | null): number | null {
  const [end, asks, { hasStarted, isInterrupted }] = [endOf(state), asksOf(state), pastOf(state)];
  if (!isOver(state) && shellExit === null) return null;
  // A shell that was asked more than once, or never started the command, reports the code of something else. And an
  // aborted command has not succeeded.
  if (end && isInterrupted && (!hasStarted || (asks > 0 && (asks > 1 || end.status === 0)))) return INTERRUPTED;
  if (end) return end.status;
  // The shell's own code says nothing about a command that never started.
  if (!hasStarted) return null;
  return shellExit?.kind === "code" ? shellExit.code : null;
}

/** The signal that ended the command, or the shell before the command had ended; null if there was none. */
export function decideSignal(state: FrameState, shellExit: Exit | null): string | null {
  if (!endOf(state) && shellExit?.kind === "signal") return shellExit.signal;
  const exitCode = decideExitCode(state, shellExit);
  return exitCode !== null && exitCode > SIGNAL_BASE ? (signalNames.get(exitCode - SIGNAL_BASE) ?? null) : null;
}
