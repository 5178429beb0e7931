/** A result as the text that a model reads, line for line. */

/** What a call and a command have in common. Names and fields as they are on the wire. */
export interface Outcome {
  readonly session_id: number;
  readonly running: boolean;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly truncated: boolean;
  readonly original_token_count: number | null;
  readonly waiting_for: "line" | "password" | "key" | "unknown" | null;
  readonly cursor: number;
  readonly dropped_bytes: number;
}

export interface CallResult extends Outcome {
  readonly name: string | null;
  readonly wall_time_seconds: number;
  readonly yielded: "exited" | "finished" | "matched" | "input" | "quiet" | "listening" | "deadline";
  /** Of a command in a shell that stays, when it finished during this call; null where the shell could not tell. */
  readonly command_exit_code?: number | null;
  /** Where that command left the shell. */
  readonly cwd?: string;
}

/** A host may have hundreds; the line comes with every answer. */
const MOST_SHOWN = 20;

interface NamedSession {
  readonly id: number;
  readonly name: string | null;
}

/** What else is worth a line. */
export interface Remarks {
  /** Other sessions that are running. */
  readonly others?: readonly NamedSession[];
  /** Where the cut part can be read. */
  readonly cutFrom?: number | null;
  /** Lines that a fold left out although they differ, and where they can be read; null for none. */
  readonly hidden?: { readonly lines: number; readonly from: number } | null;
  /** Lines about what this call did besides. */
  readonly notes?: readonly string[];
}

/** Further lines appear only when they say something. */
export function describeResult(result: CallResult, { others = [], cutFrom, hidden, notes = [] }: Remarks = {}): string {
  const lines = [wallTimeLine(result.wall_time_seconds), statusLine(result)];
  if (result.running && result.waiting_for !== null && result.waiting_for !== "unknown") {
    lines.push(`Waiting for input: ${result.waiting_for}`);
  }
  lines.push(...notes, ...runningLines(others), ...truncationLines(result, cutFrom));
  if (hidden) {
    const call = `read_output(session_id=${result.session_id}, from=${hidden.from}, raw=true)`;
    lines.push(`${hiddenLine(hidden.lines)}; all: ${call}`);
  }
  return [...lines, "Output:", result.output].join("\n");
}

/** For a model that has forgotten them; empty where no other session runs. */
export function runningLines(others: readonly NamedSession[]): string[] {
  if (others.length === 0) return [];
  const shown = others.slice(0, MOST_SHOWN).map(describeSession).join(", ");
  const more = others.length > MOST_SHOWN ? ` and ${others.length - MOST_SHOWN} more: list_sessions` : "";
  return [`Still running: ${shown}${more}`];
}

/** Says where the rest is; empty where nothing was cut. */
export function truncationLines(result: Outcome, cutFrom: number | null | undefined): string[] {
  if (!result.truncated) return [];
  const rest = `; full output: read_output(session_id=${result.session_id}, from=${cutFrom ?? 0})`;
  return [truncationLine(result.original_token_count) + rest];
}

/** Said once for all folds of an answer. */
export function hiddenLine(lines: number): string {
  return `Folded: ${lines} ${lines === 1 ? "line" : "lines"} left out`;
}

/** The same without the lines that the two tools of the seed do not know. */
export function describeForCodex(result: CallResult): string {
  const lines = [wallTimeLine(result.wall_time_seconds), statusLine(result)];
  if (result.truncated) lines.push(truncationLine(result.original_token_count));
  return [...lines, "Output:", result.output].join("\n");
}

export function describeSession({ id, name }: NamedSession): string {
  return name === null ? String(id) : `${id} (${name})`;
}

export function wallTimeLine(seconds: number): string {
  return `Wall time: ${seconds.toFixed(3)} seconds`;
}

function statusLine(result: CallResult): string {
  return result.running ? `Process running with session ID ${result.session_id}` : exitLine("Process", result);
}

export function exitLine(what: "Process" | "Command", { signal, exit_code }: Outcome): string {
  return signal === null ? `${what} exited with code ${exit_code ?? "unknown"}` : `${what} killed by signal ${signal}`;
}

function truncationLine(tokens: number | null): string {
  return `Warning: truncated output (original token count: ${tokens ?? "unknown"})`;
}
