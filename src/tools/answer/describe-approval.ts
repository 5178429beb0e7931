/**
 * A request for approval, as a person reads it: the whole command, in which nothing is hidden or can be mistaken for
 * limpet's words.
 */
import { describeAge } from "../../base/format/describe-duration.ts";
import { describeSandbox } from "../../base/sandbox-request.ts";
import type { Approval, ApprovalAct } from "../../service/approvals/approval.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import { exposeLookAlikes } from "../../text/clean/expose-look-alikes.ts";
import { quoteLine, visibleLine } from "../../text/clean/quote-line.ts";

type Shown = Pick<Approval, "act" | "caller" | "client" | "project" | "tool" | "reasons">;

/** Several lines, without the number. */
export function describeApproval(approval: Shown): string {
  const { act, caller, client, project, tool, reasons } = approval;
  const who = client === null || client === caller ? caller : `${caller} (${client})`;
  return [
    `${line(who)} wants to ${describeKind(act)}:`,
    "",
    ...exposeLookAlikes(act.text)
      .split("\n")
      .map((each) => `  | ${each}`),
    "",
    ...Object.entries(act.env).map(([name, value]) => `Variable:  ${line(`${name}=${value}`)}`),
    ...(act.place === undefined ? [] : [`Place:     ${line(act.place)}`]),
    ...(act.directory === null ? [] : [`Directory: ${line(act.directory)}`]),
    `Sandbox:   ${describeSandbox(act.sandbox ?? undefined)}`,
    `Asked by:  ${line(tool)}${project === null ? "" : ` in the project ${line(project)}`}`,
    ...reasons.map(({ text }) => `Why:       ${line(text)}`),
  ].join("\n");
}

/** In one line, with the number and the age. */
export function describeApprovalLine({ number, act, caller, client, ageMs, leftMs }: Approval): string {
  const at = act.place === undefined ? "" : ` at ${line(act.place)}`;
  const where = `${at}${act.directory === null ? "" : ` in ${line(act.directory)}`}`;
  const age = `${describeAge(ageMs)} ago, ${describeAge(leftMs)} left`;
  return `${number}  ${line(client ?? caller)} (${age})${where}: ${exposeLookAlikes(quoteLine(act.text))}`;
}

function describeKind({ kind, program, session, place }: ApprovalAct): string {
  const shown = line(program);
  const where = session === null ? "" : ` in session ${line(String(keyOf({ id: session, place: place ?? null })))}`;
  if (kind === "input") return `type into ${shown}${where}`;
  return kind === "program" ? `start ${shown}` : `run a command with ${shown}${where}`;
}

function line(text: string): string {
  return exposeLookAlikes(visibleLine(text));
}
