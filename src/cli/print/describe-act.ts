/** One line of an audit for people. Pure. */
import { describeDuration } from "../../base/format/describe-duration.ts";
import { describeSandbox } from "../../base/sandbox-request.ts";
import type { AuditAct } from "../../safety/audit/audit.ts";
import type { AuditLine, ChainNote } from "../../safety/audit/audit-chain.ts";
import { quoteLine, wordOrQuote } from "../../text/clean/quote-line.ts";

const COMMAND_CHARS = 200;

export function describeAct(line: AuditLine): string {
  const time = line.time.slice(0, 19).replace("T", " ");
  if (isNote(line)) return `${time} [${describeNote(line)}]`;
  return `${time} ${describeWho(line)}${describeWhat(line)}${describeTerms(line)}`;
}

function describeNote({ event, count = 0, detail = "" }: ChainNote): string {
  return event === "torn" ? "an incomplete line: its writer was killed" : `${count} acts are missing: ${detail}`;
}

function isNote(line: AuditLine): line is Extract<AuditLine, ChainNote> {
  return line.event === "torn" || line.event === "gap";
}

function describeWho({ caller, tool }: AuditAct): string {
  const by = caller === undefined ? "" : `${quoteLine(caller)} `;
  return tool === undefined ? by : `${by}(${tool}) `;
}

function describeWhat(act: AuditAct): string {
  const { event, session, of, command, bytes, signal, detail, place = "local" } = act;
  const at = place === "local" ? "" : ` at ${wordOrQuote(place)}`;
  const where = `${session === undefined ? "" : ` ${of ?? act.act ?? session}`}${at}`;
  const what = [
    ...(bytes === undefined ? [] : [`${bytes} bytes`]),
    ...(event === "ended" ? [describeEnd(act)] : signal === undefined ? [] : [signal]),
    ...(detail === undefined ? [] : [quoteLine(detail)]),
    ...(command === undefined ? [] : [quoteLine(command, { maxChars: COMMAND_CHARS })]),
  ];
  return `${event}${where}${what.length === 0 ? "" : `: ${what.join(", ")}`}`;
}

function describeEnd({ exitCode, signal, durationMs }: AuditAct): string {
  const how = signal ?? (typeof exitCode === "number" ? `code ${exitCode}` : "code unknown");
  return durationMs === undefined ? how : `${how} after ${describeDuration(durationMs)}`;
}

/** What it may do, and who allowed it. */
function describeTerms({ sandbox, limits, verdict }: AuditAct): string {
  const terms = [
    ...(sandbox ? [`sandbox ${describeSandbox(sandbox)}`] : []),
    ...(limits === undefined ? [] : [`limits ${limits}`]),
    ...(verdict ? [describeVerdict(verdict)] : []),
  ];
  return terms.length === 0 ? "" : ` [${terms.join("; ")}]`;
}

function describeVerdict({ decision, rule, approvedBy }: NonNullable<AuditAct["verdict"]>): string {
  const by = rule ? ` by ${quoteLine(rule)}` : "";
  return `${decision}${by}${approvedBy ? `, approved by ${quoteLine(approvedBy)}` : ""}`;
}
