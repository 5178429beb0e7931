/** A line of a log: for people, or as JSON for programs that collect logs. Pure. */
import { LimpetError } from "../../base/limpet-error.ts";

export type LogForm = "text" | "json";

export interface LogEntry {
  readonly atMs: number;
  readonly pid: number;
  readonly message: string;
}

export function logLine({ atMs, pid, message }: LogEntry, form: LogForm): string {
  const time = new Date(atMs).toISOString();
  return form === "json" ? JSON.stringify({ time, pid, message }) : `${time} ${pid} ${message}`;
}

export function requireLogForm(given: string | undefined): LogForm {
  if (given === undefined || given === "text") return "text";
  if (given === "json") return given;
  throw new LimpetError("BAD_OPTION", `--log is ${JSON.stringify(given)}. Give text or json.`);
}
