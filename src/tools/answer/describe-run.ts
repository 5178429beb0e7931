/** The text of a command's result, as a model reads it. */
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

type RunRemarks = Required<Pick<Remarks, "cutFrom" | "hidden" | "notes" | "others">>;

export function describeRun(result: RunResult, { cutFrom, hidden, notes, others }: RunRemarks): string {
  const lines = [wallTimeLine(result.duration_ms / 1000), statusLine(result)];
  if (result.running && result.waiting_for !== null && result.waiting_for !== "unknown") {
    lines.push(`Waiting for input: ${result.waiting_for}; answer with write_stdin(session_id=${result.session_id})`);
  }
  if (result.cwd !== null) lines.push(`Directory: ${oneLine(result.cwd)}`);
  lines.push(...notes, ...runningLines(others), ...truncationLines(result, cutFrom), ...hiddenLines(result, hidden));
  if (result.background_output !== "") lines.push("Background output:", result.background_output.trimEnd());
  return [...lines, "Output:", result.output].join("\n");
}

function statusLine(result: RunResult): string {
  return result.running ? `Command running in session ID ${result.session_id}` : exitLine("Command", result);
}

/** A directory can have any name. A line break in it must not look like a line of the answer. */
function oneLine(text: string): string {
  return /\p{Cc}|\p{Cf}/u.test(text) ? JSON.stringify(text) : text;
}
