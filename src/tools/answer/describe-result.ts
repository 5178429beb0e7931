/** The text of a result, as a model reads it. */

import { listSome } from "../../base/format/list-some.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey, SessionName } from "../../service/listing/session-name.ts";
import { wordOrQuote } from "../../text/clean/quote-line.ts";
import { answerText } from "./answer-text.ts";

/** What the results of a call and of a command have in common, with the field names of the tool's answer. */
export interface Outcome {
  /** As `keyOf` writes it. */
  readonly session_id: SessionKey;
  readonly running: boolean;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly output: string;
  /** The tag of limpet's own lines in the output; undefined if it has none. */
  readonly tag?: string;
  readonly truncated: boolean;
  readonly original_token_count: number | null;
  readonly waiting_for: "line" | "password" | "key" | "unknown" | null;
  readonly cursor: number;
  readonly dropped_bytes: number;
}

export interface CallResult extends Outcome {
  readonly name: string | null;
  readonly wall_time_seconds: number;
  readonly yielded: "exited" | "finished" | "matched" | "input" | "quiet" | "listening" | "idle" | "deadline";
  /**
   * The exit code of a command in a persistent shell that finished during this call; null if the shell did not report
   * it.
   */
  readonly command_exit_code?: number | null;
  /** The shell's directory after that command. */
  readonly cwd?: string;
}

/** A host may have hundreds of sessions, and every answer has this line. */
const MAX_SHOWN = 20;

/** Facts that add a line to the text. */
export interface Remarks {
  /** The tag for limpet's own lines in the output. It occurs nowhere else in it. */
  readonly tag: string;
  /** Other sessions that are running. */
  readonly others?: readonly SessionName[];
  /** The cursor of the text that was cut. */
  readonly cutFrom?: number | null;
  /** The number of different lines that folding left out, and the cursor to read them from; null for none. */
  readonly hidden?: { readonly lines: number; readonly from: number } | null;
  /** Other lines about this call. */
  readonly notes?: readonly string[];
  /** The output is the screen. Default false. */
  readonly isScreen?: boolean;
}

/** Optional lines appear only if they apply. */
export function describeResult(result: CallResult, remarks: Remarks): string {
  const { tag, others = [], cutFrom, hidden, notes = [], isScreen = false } = remarks;
  const lines = [wallTimeLine(result.wall_time_seconds), statusLine(result)];
  if (result.running && result.waiting_for !== null && result.waiting_for !== "unknown") {
    lines.push(`Waiting for input: ${result.waiting_for}`);
  }
  lines.push(...notes, ...runningLines(others), ...truncationLines(result, cutFrom), ...hiddenLines(result, hidden));
  return answerText(lines, { label: isScreen ? "Screen" : "Output", text: result.output, tag });
}

/** Reminds the model of its other sessions; empty if no other session runs. */
export function runningLines(others: readonly SessionName[]): string[] {
  if (others.length === 0) return [];
  const where = others.length > MAX_SHOWN ? ": list_sessions" : "";
  return [`Still running: ${listSome(others.map(describeSession), MAX_SHOWN)}${where}`];
}

/** Says how to read the rest; empty if nothing was cut. */
export function truncationLines(result: Outcome, cutFrom: number | null | undefined): string[] {
  if (!result.truncated) return [];
  const rest = `; full output: read_output(session_id=${JSON.stringify(result.session_id)}, from=${cutFrom ?? 0})`;
  return [truncationLine(result.original_token_count) + rest];
}

/** Says how to read the lines that folding left out; empty if it left out none. */
export function hiddenLines({ session_id }: Outcome, hidden: Remarks["hidden"]): string[] {
  if (!hidden) return [];
  const call = `read_output(session_id=${JSON.stringify(session_id)}, from=${hidden.from}, fold=false)`;
  return [`${hiddenLine(hidden.lines)}; all: ${call}`];
}

/** One line for all folds of an answer. */
export function hiddenLine(lines: number): string {
  return `Folded: ${lines} ${lines === 1 ? "line" : "lines"} left out`;
}

/** The same without the lines that Codex's tools do not have. */
export function describeForCodex(result: CallResult): string {
  const lines = [wallTimeLine(result.wall_time_seconds), codexStatusLine(result)];
  if (result.truncated) lines.push(truncationLine(result.original_token_count));
  return [...lines, "Output:", result.output].join("\n");
}

export function describeSession(session: SessionName): string {
  return describeKey(keyOf(session), session.name);
}

function describeKey(key: SessionKey, name: string | null): string {
  return name === null ? String(key) : `${key} (${wordOrQuote(name)})`;
}

export function wallTimeLine(seconds: number): string {
  return `Wall time: ${seconds.toFixed(3)} seconds`;
}

/** Names the session in any case: what it printed can be read after its end. */
function statusLine(result: CallResult): string {
  const session = describeKey(result.session_id, result.name);
  return result.running
    ? `Process running with session ID ${session}`
    : `${exitLine("Process", result)}, session ID ${session}`;
}

function codexStatusLine(result: CallResult): string {
  return result.running ? `Process running with session ID ${result.session_id}` : exitLine("Process", result);
}

export function exitLine(what: "Process" | "Command", { signal, exit_code }: Outcome): string {
  return signal === null ? `${what} exited with code ${exit_code ?? "unknown"}` : `${what} killed by signal ${signal}`;
}

function truncationLine(tokens: number | null): string {
  return `Warning: truncated output (original token count: ${tokens ?? "unknown"})`;
}
