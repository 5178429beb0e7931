/** The result of a command. */
import type { Cursor } from "../base/cursor.ts";
import { type Exit, isOutOfMemory } from "../base/exit.ts";
import type { Session } from "../session/session.ts";
import type { WaitedFor } from "../session/wait/decide-wait.ts";
import { decideExitCode, decideSignal } from "./decide-exit-code.ts";
import type { Frame } from "./frame/frame.ts";

/** The outcome of a command, or its state so far. */
export interface RunResult {
  /** Everything it printed, as clean text in the order of arrival. */
  readonly output: string;
  /** The same without a separated stderr. */
  readonly stdout: string;
  /** Empty unless stderr was separated. */
  readonly stderr: string;
  /** 0 to 255; null while it runs, and if the shell was killed by a signal or ended before the command started. */
  readonly exitCode: number | null;
  /** The signal that ended it, as far as the exit code shows. */
  readonly signal: string | null;
  /** The kernel killed a process for lack of memory while it ran, and its exit code looks like it. */
  readonly outOfMemory: boolean;
  /** The shell's directory after the command; while it runs, the directory before it. */
  readonly cwd: string;
  readonly durationMs: number;
  /** The command has not ended: call `wait`. */
  readonly isRunning: boolean;
  /** What its program waits for; null: nothing. */
  readonly waitingFor: WaitedFor | null;
  /** The command reached its time limit and was ended. */
  readonly timedOut: boolean;
  /** Part of the output is missing, because of the budget or because the session dropped it. */
  readonly truncated: boolean;
  /** Tokens of `output` before the budget was applied; null if nothing was cut. */
  readonly originalTokenCount: number | null;
  /** The range of the session's output that was cut from `output`; null if nothing was cut. */
  readonly cut: { readonly from: Cursor; readonly to: Cursor } | null;
  /** How many different lines of `output` a fold left out; `fold: false` returns them. */
  readonly hiddenLines: number;
  /** How many bytes of its output were dropped and cannot be read. */
  readonly droppedBytes: number;
  /** What background jobs printed between the last command and this one. */
  readonly backgroundOutput: string;
  /** How the shell itself ended; null while it is alive. A shell that has ended cannot run another command. */
  readonly shellExit: Exit | null;
  /** The range of its output in the session's output. */
  readonly from: Cursor;
  readonly to: Cursor;
}

export interface Outcome {
  readonly frame: Frame;
  readonly waitingFor: RunResult["waitingFor"];
  readonly timedOut: boolean;
  readonly maxOutputTokens: number | undefined;
  readonly fold: boolean;
  readonly tag: string | undefined;
  readonly splitStderr: boolean;
  readonly backgroundFrom: Cursor;
  readonly cwd: string;
}

export async function readRunResult(session: Session, outcome: Outcome): Promise<RunResult> {
  const { frame, timedOut, waitingFor, cwd } = outcome;
  // The whole result describes this moment, although the command may end while its output is read.
  const { state, isDone } = frame;
  const shellExit = session.exit ?? null;
  const isRunning = !isDone && shellExit === null;
  // A shell that ends before it starts the command prints its own output.
  const hasNoOutput = shellExit !== null && !frame.hasStarted;
  const range = { from: frame.from, to: hasNoOutput ? frame.from : (frame.to ?? session.endCursor) };
  const budget = {
    fold: outcome.fold,
    isComplete: !isRunning,
    tag: outcome.tag,
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
    outOfMemory: frame.outOfMemory || (shellExit !== null && isOutOfMemory(shellExit)),
    cwd,
    durationMs: (frame.endedMs ?? performance.now()) - frame.startedMs,
    isRunning,
    waitingFor: isRunning ? waitingFor : null,
    timedOut,
    truncated: whole.cut !== null || whole.droppedBytes > 0,
    originalTokenCount: whole.originalTokenCount,
    cut: whole.cut,
    hiddenLines: whole.hiddenLines,
    droppedBytes: whole.droppedBytes,
    // Blank lines carry no information; a shell prints some between two prompts.
    backgroundOutput: background?.text.trim() ? background.text : "",
    shellExit,
    ...range,
  };
}
