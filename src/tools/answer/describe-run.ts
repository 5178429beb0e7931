/** The text of a command's result, as a model reads it. */
import { wordOrQuote } from "../../text/clean/quote-line.ts";
import { answerText } from "./answer-text.ts";
import {
  exitLine,
  hiddenLines,
  type Outcome,
  type Remarks,
  runningLines,
  truncationLines,
  wallTimeLine,
} from "./describe-result.ts";

/** `running`: the command has not ended. */
export interface RunResult extends Outcome {
  readonly shell: string | null;
  /** The shell's directory after the command; null while it runs, and if the shell has ended. */
  readonly cwd: string | null;
  readonly duration_ms: number;
  readonly timed_out: boolean;
  /** What background jobs printed since the last command. */
  readonly background_output: string;
  readonly shell_ended: boolean;
}

interface RunRemarks extends Required<Pick<Remarks, "cutFrom" | "hidden" | "notes" | "others" | "tag">> {
  /** The directory is not news for the caller. */
  readonly isDirectoryKnown: boolean;
}

export function describeRun(result: RunResult, remarks: RunRemarks): string {
  const { cutFrom, hidden, notes, others, tag, isDirectoryKnown } = remarks;
  const lines = [wallTimeLine(result.duration_ms / 1000), statusLine(result)];
  if (result.running && result.waiting_for !== null) {
    const waits =
      result.waiting_for === "unknown" ? "Probably waiting for input" : `Waiting for input: ${result.waiting_for}`;
    lines.push(`${waits}; answer with write_stdin(session_id=${JSON.stringify(result.session_id)})`);
  }
  if (result.cwd !== null && !isDirectoryKnown) lines.push(`Directory: ${wordOrQuote(result.cwd)}`);
  lines.push(...notes, ...runningLines(others), ...truncationLines(result, cutFrom), ...hiddenLines(result, hidden));
  return answerText(lines, { text: result.output, background: result.background_output, tag });
}

function statusLine(result: RunResult): string {
  const { session_id: id } = result;
  return result.running ? `Command running in session ID ${id}` : `${exitLine("Command", result)}, session ID ${id}`;
}
