import { z } from "zod";
import { describeExit } from "../base/exit.ts";
import { describeSandbox } from "../base/sandbox-request.ts";
import { describeLimitState } from "../base/session-limits.ts";
import { keyOf } from "../service/listing/session-key.ts";
import type { SessionSummary } from "../service/listing/session-summary.ts";
import { quoteLine, wordOrQuote } from "../text/clean/quote-line.ts";
import { READ_ONLY } from "./annotations.ts";
import { describeSession } from "./answer/describe-result.ts";
import {
  describeAutoClose,
  describeInside,
  describeJournal,
  describeLeft,
  describeReason,
  describeSilent,
} from "./answer/describe-surroundings.ts";
import {
  fields,
  flag,
  listOf,
  number,
  text as string,
  textOrNull,
  waitingFor,
  whole,
  wholeOrNull,
} from "./answer/output-schema.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

/** A command can be a whole script. */
const PROGRAM_CHARS = 200;

export const listSessions: Tool = defineTool({
  name: "list_sessions",
  description:
    "List the sessions of this project: id, name, command, state, ports, last line. ended=true: also ended ones.",
  annotations: { title: "List sessions", ...READ_ONLY },
  params: () => ({
    ended: z.boolean().default(false),
    all: z.boolean().default(false).describe("also sessions of other projects; reach them by id"),
  }),
  outputSchema: fields({
    sessions: listOf(
      fields({
        session_id: whole,
        name: textOrNull,
        program: string,
        foreground: textOrNull,
        running: flag,
        exit_code: wholeOrNull,
        signal: textOrNull,
        lost: flag,
        journal_lost_bytes: whole,
        idle: flag,
        waiting_for: waitingFor,
        listening: listOf(fields({ address: string, port: whole })),
        left_running: listOf(fields({ pid: whole, name: string })),
        age_seconds: number,
        idle_seconds: number,
        output_bytes: whole,
        last_line: string,
        sandbox: textOrNull,
        limits: textOrNull,
        ended_by_limit: textOrNull,
        frozen: flag,
        owner: textOrNull,
        project: textOrNull,
      }),
    ),
  }),
  async run({ ended, all }, { sessions }) {
    const listed = await sessions.list({ ended, all });
    const lines = listed.map((summary) => `${describe(summary)}${all ? describeOwner(summary) : ""}`);
    const silent = (sessions.silentPlaces?.() ?? []).map(describeSilent);
    const text = [...(lines.length === 0 ? ["No sessions. Start one with exec_command."] : lines), ...silent].join(
      "\n",
    );
    // Most clients get the text alone, and a fleet has thousands of sessions.
    const structured = {
      get sessions() {
        return listed.map(onTheWire);
      },
    };
    return { text, structured };
  },
});

function describe(summary: SessionSummary): string {
  const { program, lastLine, listening } = summary;
  const ports = listening.map(({ address, port }) => `, listening on ${address} port ${port}`).join("");
  const held = summary.held === null ? "" : `, held by a person${describeReason(summary.held)}`;
  const left = summary.left.length === 0 ? "" : `, left running: ${describeLeft(summary)}`;
  const gap = summary.journal?.kind === "degraded" ? `, ${describeJournal(summary.journal)}` : "";
  const box = summary.sandbox === null ? "" : `, sandbox: ${describeSandbox(summary.sandbox)}`;
  const frozen = summary.frozen === null ? "" : ", frozen by a person";
  const limits = summary.limits === null ? "" : `, ${describeLimitState(summary.limits)}`;
  const last = lastLine === "" ? "" : ` | ${quoteLine(lastLine)}`;
  const inside = describeInside(program, summary.foreground);
  const what = `${quoteLine(program, { maxChars: PROGRAM_CHARS })}${inside}`;
  return `${describeSession(summary)}: ${state(summary)}${held}${frozen}${gap}${left}${ports}${box}${limits}, ${age(summary.ageMs)}: ${what}${last}`;
}

/** Between projects, names alone do not tell sessions apart. */
function describeOwner({ owner }: SessionSummary): string {
  return owner === null ? "" : ` | of ${wordOrQuote(owner.caller)} in ${quoteLine(owner.project ?? "no project")}`;
}

function state({ exit, lost, isIdle, waitingFor, closed }: SessionSummary): string {
  if (lost) return "lost with its host, output readable";
  if (exit) return describeExit(exit) + (closed === null ? "" : ` (${describeAutoClose(closed)})`);
  if (isIdle) return "idle";
  return waitingFor === null || waitingFor === "unknown" ? "running" : `waiting for input (${waitingFor})`;
}

function age(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function onTheWire({ exit, ...summary }: SessionSummary) {
  return {
    session_id: keyOf(summary),
    name: summary.name,
    program: summary.program,
    foreground: summary.foreground,
    running: exit === null,
    exit_code: exit?.kind === "code" ? exit.code : null,
    signal: exit?.kind === "signal" ? exit.signal : null,
    lost: summary.lost,
    journal_lost_bytes: summary.journal?.kind === "degraded" ? summary.journal.lostBytes : 0,
    idle: summary.isIdle,
    waiting_for: summary.waitingFor,
    listening: summary.listening.map(({ address, port }) => ({ address, port })),
    left_running: summary.left.map(({ pid, name }) => ({ pid, name })),
    age_seconds: summary.ageMs / 1000,
    idle_seconds: summary.idleMs / 1000,
    output_bytes: summary.outputBytes,
    last_line: summary.lastLine,
    sandbox: summary.sandbox && describeSandbox(summary.sandbox),
    limits: summary.limits && describeLimitState(summary.limits),
    ended_by_limit: summary.limits?.endedBy ?? null,
    frozen: summary.frozen !== null,
    owner: summary.owner?.caller ?? null,
    project: summary.owner?.project ?? null,
  };
}
