/** What a command gives back. */

import { constants } from "node:os";
import type { Cursor } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { Session } from "../session/session.ts";
import type { Frame } from "./frame.ts";
import { asksOf, endOf, pastOf } from "./frame-state.ts";

/** A command's outcome, or how far it has got. */
export interface RunResult {
  /** All that it printed, as clean text in the order of arrival. */
  readonly output: string;
  /** The same, without what came on a stderr that was split off. */
  readonly stdout: string;
  /** Empty unless stderr was split off. */
  readonly stderr: string;
  /** 0 to 255; null while it runs, and where the shell was killed by a signal or ended before the command began. */
  readonly exitCode: number | null;
  /** The signal that ended it, as far as the exit code tells. */
  readonly signal: string | null;
  /** Where the shell is after it; while it runs, where it was before. */
  readonly cwd: string;
  readonly durationMs: number;
  /** The command has not ended: `wait` carries on. */
  readonly isRunning: boolean;
  /** What the program in it waits for; null for nothing. */
  readonly waitingFor: "line" | "password" | "key" | null;
  /** The time limit was reached, and the command was ended. */
  readonly timedOut: boolean;
  /** Some of the output was left out, because of the budget or because too much was printed. */
  readonly truncated: boolean;
  /** Tokens of `output` before the budget was applied; null when nothing was cut. */
  readonly originalTokenCount: number | null;
  /** Where in the session's output what was cut from `output` can be read; null when nothing was. */
  readonly cut: { readonly from: Cursor; readonly to: Cursor } | null;
  /** Bytes of its output that are kept nowhere any more. */
  readonly droppedBytes: number;
  /** What jobs in the background printed between the last command and this one. */
  readonly backgroundOutput: string;
  /** How the shell itself ended; null while it lives. A shell that is gone runs no further command. */
  readonly shellExit: Exit | null;
  /** Where its output stands in that of the session. */
  readonly from: Cursor;
  readonly to: Cursor;
}

export interface Outcome {
  readonly frame: Frame;
  readonly waitingFor: RunResult["waitingFor"];
  readonly timedOut: boolean;
  readonly maxOutputTokens: number | undefined;
  readonly splitStderr: boolean;
  readonly backgroundFrom: Cursor;
  readonly cwd: string;
}

/** As shells count: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

export async function describeOutcome(session: Session, outcome: Outcome): Promise<RunResult> {
  const { frame, timedOut, waitingFor, cwd } = outcome;
  const shellExit = session.exit ?? null;
  const isRunning = !frame.isDone && shellExit === null;
  // What a shell prints that ends before it has begun the command is its own.
  const isNever = shellExit !== null && !frame.hasStarted;
  const range = { from: frame.from, to: isNever ? frame.from : (frame.to ?? session.endCursor) };
  const budget = {
    fold: false,
    ...(outcome.maxOutputTokens === undefined ? {} : { maxTokens: outcome.maxOutputTokens }),
  };
  const whole = await session.text({ ...range, ...budget });
  const stdout = outcome.splitStderr ? await session.text({ ...range, ...budget, origin: "terminal" }) : whole;
  const stderr = outcome.splitStderr ? await session.text({ ...range, ...budget, origin: "stderr" }) : undefined;
  const backgroundFrom = Math.min(outcome.backgroundFrom, range.from);
  const background =
    backgroundFrom === range.from ? undefined : await session.text({ from: backgroundFrom, to: range.from, ...budget });
  const exitCode = isRunning ? null : exitCodeOf(frame, shellExit);
  return {
    output: whole.text,
    stdout: stdout.text,
    stderr: stderr?.text ?? "",
    exitCode,
    signal: signalOf(exitCode, frame.end ? null : shellExit),
    cwd,
    durationMs: (frame.endedMs ?? performance.now()) - frame.startedMs,
    isRunning,
    waitingFor: isRunning ? waitingFor : null,
    timedOut,
    truncated: whole.cut !== null || whole.droppedBytes > 0,
    originalTokenCount: whole.originalTokenCount,
    cut: whole.cut,
    droppedBytes: whole.droppedBytes,
    // Blank lines say nothing; some are a shell's own, between two prompts.
    backgroundOutput: background?.text.trim() ? background.text : "",
    shellExit,
    ...range,
  };
}

function exitCodeOf({ state }: Frame, shellExit: Exit | null): number | null {
  const [end, asks, { hasStarted, isInterrupted }] = [endOf(state), asksOf(state), pastOf(state)];
  // A shell that was asked in vain, or never began, tells the code of something else; and what was aborted has not gone well.
  if (end && isInterrupted && asks > 0 && (!hasStarted || asks > 1 || end.status === 0)) return INTERRUPTED;
  if (end) return end.status;
  // The shell's own code says nothing of a command that it never began.
  if (!hasStarted) return null;
  return shellExit?.kind === "code" ? shellExit.code : null;
}

/** Shells add 128 to the number of a signal. */
function signalOf(exitCode: number | null, shellExit: Exit | null): string | null {
  if (shellExit?.kind === "signal") return shellExit.signal;
  return exitCode !== null && exitCode > 128 ? (signalNames.get(exitCode - 128) ?? null) : null;
}
