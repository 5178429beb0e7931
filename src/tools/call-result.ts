/** The answer of a turn as `exec_command`, `write_stdin` and `wait_for` give it: fields on the wire, and remarks for the text. */
import { describeAround } from "./describe-around.ts";
import type { CallResult, Remarks } from "./describe-result.ts";
import { describeScreen } from "./describe-screen.ts";
import type { ToolTurn } from "./take-turn.ts";

export interface CallAnswer {
  readonly result: CallResult;
  readonly remarks: Required<Remarks>;
}

export function callResult(turn: ToolTurn): CallAnswer {
  const { session, result, output, screen } = turn;
  const shown = screen && describeScreen(screen.snapshot);
  const around = describeAround(turn);
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
      others: around.others,
      notes: [
        ...(result?.reason === "finished"
          ? [`The shell's command finished with code ${result.exitCode ?? "unknown"} in ${result.cwd}`]
          : []),
        ...(result?.reason === "listening" ? [`Listening on ${result.address} port ${result.port}`] : []),
        ...around.notes,
        ...(turn.isCutShort ? ["Still waiting: this client allows no longer call; go on with wait_for"] : []),
        ...(shown ? [shown.caret] : []),
      ],
    },
  };
}
