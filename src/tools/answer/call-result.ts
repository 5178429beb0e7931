/**
 * The answer of a turn in the form of `exec_command`, `write_stdin` and `wait_for`: the result's fields, and remarks
 * for the text.
 */

import type { CallResult, Remarks } from "./describe-result.ts";
import { describeScreen } from "./describe-screen.ts";
import { describeSurroundings } from "./describe-surroundings.ts";
import type { ToolTurn } from "./take-turn.ts";

export interface CallAnswer {
  readonly result: CallResult;
  readonly remarks: Required<Remarks>;
}

export function callResult(turn: ToolTurn): CallAnswer {
  const { session, result, output, screen } = turn;
  const shown = screen && describeScreen(screen.snapshot);
  const surroundings = describeSurroundings(turn);
  return {
    result: {
      session_id: session.id,
      name: session.name,
      running: session.exit === null,
      exit_code: session.exit?.kind === "code" ? session.exit.code : null,
      signal: session.exit?.kind === "signal" ? session.exit.signal : null,
      output: shown?.text ?? output?.text ?? "",
      truncated: (output?.cut ?? null) !== null,
      original_token_count: output?.originalTokenCount ?? null,
      wall_time_seconds: turn.wallTimeSeconds,
      yielded: result?.reason ?? "deadline",
      waiting_for: session.waitingFor,
      cursor: screen?.snapshot.cursor ?? output?.next ?? session.outputBytes,
      dropped_bytes: output?.droppedBytes ?? 0,
      ...(result?.reason === "finished" ? { command_exit_code: result.exitCode, cwd: result.cwd } : {}),
    },
    remarks: {
      cutFrom: output?.cut?.from ?? null,
      hidden: output?.hiddenLines ? { lines: output.hiddenLines, from: output.from } : null,
      others: surroundings.others,
      notes: [
        ...(result?.reason === "finished"
          ? [`The shell's command finished with code ${result.exitCode ?? "unknown"} in ${result.cwd}`]
          : []),
        ...(result?.reason === "idle" ? ["Idle: the shell runs no command, so there is nothing to wait for"] : []),
        ...(result?.reason === "listening" ? [`Listening on ${result.address} port ${result.port}`] : []),
        ...surroundings.notes,
        ...(turn.isCutShort
          ? ["Still waiting: this client limits how long a call may take; continue with wait_for"]
          : []),
        ...(shown ? [shown.caret] : []),
      ],
    },
  };
}
