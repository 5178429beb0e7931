/** What a command returns. */
import type { Cursor } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { Session } from "../session/session.ts";
import { decideExitCode, decideSignal } from "./decide-exit-code.ts";
import type { Frame } from "./frame/frame.ts";

/** The outcome of a command, or how far it has come. */
export interface RunResult {
  /** All that it printed, as clean text in the order of arrival. */
  readonly output: string;
  /** The same, without what came on a stderr that was split off. */
  readonly stdout: string;
  /** Empty unless stderr was split off. */
  readonly stderr: string;
  /** 0 to 255; null while it runs, and if the shell was killed by a signal or ended before the command started. */
  readonly exitCode: number | null;
  /** The signal that ended it, as far as the exit code says. */
  readonly signal: string | null;
  /** The shell's directory after it; while it runs, the directory before it. */
  readonly cwd: string;
  readonly durationMs: number;
  /** The command has not ended: call `wait`. */
  readonly isRunning: boolean;
  /** What the program in it waits for; null for nothing. */
  readonly waitingFor: "line" | "password" | "key" | null;
  /** The command reached its time limit and was ended. */
  readonly timedOut: boolean;
  /** Some of the output is missing, because of the budget or because there was too much of it. */
  readonly truncated: boolean;
  /** Tokens of `output` before the budget was applied; null if nothing was cut. */
  readonly originalTokenCount: number | null;
  /** Where in the session's output the text that was cut from `output` can be read; null if nothing was cut. */
  readonly cut: { readonly from: Cursor; readonly to: Cursor } | null;
  /** Bytes of its output that were dropped and cannot be read any more. */
  readonly droppedBytes: number;
  /** What background jobs printed between the last command and this one. */
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

export async function readRunResult(session: Session, outcome: Outcome): Promise<RunResult> {
  const { frame, timedOut, waitingFor, cwd } = outcome;
  // All of the result is about this moment, though the command may end while its output is read.
  const { state, isDone } = frame;
  const shellExit = session.exit ?? null;
  const isRunning = !isDone && shellExit === null;
  // A shell that ends before it has started the command prints output of its own.
  const hasNoOutput = shellExit !== null && !frame.hasStarted;
  const range = { from: frame.from, to: hasNoOutput ? frame.from : (frame.to ?? session.endCursor) };
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
  return {
    output: whole.text,
    stdout: stdout.text,
    stderr: stderr?.text ?? "",
    exitCode: decideExitCode(state, shellExit),
    signal: decideSignal(state, shellExit),
    cwd,
    durationMs: (frame.endedMs ?? performance.now()) - frame.startedMs,
    isRunning,
    waitingFor: isRunning ? waitingFor : null,
    timedOut,
    truncated: whole.cut !== null || whole.droppedBytes > 0,
    originalTokenCount: whole.originalTokenCount,
    cut: whole.cut,
    droppedBytes: whole.droppedBytes,
    // Blank lines carry no information; a shell prints some between two prompts.
    backgroundOutput: background?.text.trim() ? background.text : "",
    shellExit,
    ...range,
  };
}
