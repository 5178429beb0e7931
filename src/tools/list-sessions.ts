import { z } from "zod";
import { describeExit } from "../base/exit.ts";
import type { SessionSummary } from "../service/session-service.ts";
import { quoteLine } from "../text/clean/quote-line.ts";
import { READ_ONLY } from "./annotations.ts";
import { describeSession } from "./answer/describe-result.ts";
import { describeIdle, describeJournal, describeLeft, describeReason } from "./answer/describe-surroundings.ts";
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
import { defineTool, type Tool } from "./define-tool.ts";

/** A command can be a whole script. */
const PROGRAM_CHARS = 200;

export const listSessions: Tool = defineTool({
  name: "list_sessions",
  description:
    "List running sessions, and with ended=true also ended ones: id, name, command, state, ports, last line.",
  annotations: { title: "List sessions", ...READ_ONLY },
  params: () => ({ ended: z.boolean().default(false) }),
  outputSchema: fields({
    sessions: listOf(
      fields({
        session_id: whole,
        name: textOrNull,
        program: string,
        running: flag,
        exit_code: wholeOrNull,
        signal: textOrNull,
        lost: flag,
        journal_lost_bytes: whole,
        waiting_for: waitingFor,
        listening: listOf(fields({ address: string, port: whole })),
        left_running: listOf(fields({ pid: whole, name: string })),
        age_seconds: number,
        idle_seconds: number,
        output_bytes: whole,
        last_line: string,
      }),
    ),
  }),
  async run({ ended }, { sessions }) {
    const all = await sessions.list({ ended });
    const text = all.length === 0 ? "No sessions. Start one with exec_command." : all.map(describe).join("\n");
    return { text, structured: { sessions: all.map(onTheWire) } };
  },
});

function describe(summary: SessionSummary): string {
  const { program, lastLine, listening } = summary;
  const ports = listening.map(({ address, port }) => `, listening on ${address} port ${port}`).join("");
  const held = summary.held === null ? "" : `, held by a person${describeReason(summary.held)}`;
  const left = summary.left.length === 0 ? "" : `, left running: ${describeLeft(summary)}`;
  const gap = summary.journal?.kind === "degraded" ? `, ${describeJournal(summary.journal)}` : "";
  const last = lastLine === "" ? "" : ` | ${quoteLine(lastLine)}`;
  const what = quoteLine(program, { maxChars: PROGRAM_CHARS });
  return `${describeSession(summary)}: ${state(summary)}${held}${gap}${left}${ports}, ${age(summary.ageMs)}: ${what}${last}`;
}

function state({ exit, lost, waitingFor, closedAfterIdleMs }: SessionSummary): string {
  if (lost) return "lost with its host, output readable";
  if (exit) return describeExit(exit) + (closedAfterIdleMs === null ? "" : ` (${describeIdle(closedAfterIdleMs)})`);
  return waitingFor === null || waitingFor === "unknown" ? "running" : `waiting for input (${waitingFor})`;
}

function age(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function onTheWire({ exit, ...summary }: SessionSummary) {
  return {
    session_id: summary.id,
    name: summary.name,
    program: summary.program,
    running: exit === null,
    exit_code: exit?.kind === "code" ? exit.code : null,
    signal: exit?.kind === "signal" ? exit.signal : null,
    lost: summary.lost,
    journal_lost_bytes: summary.journal?.kind === "degraded" ? summary.journal.lostBytes : 0,
    waiting_for: summary.waitingFor,
    listening: summary.listening.map(({ address, port }) => ({ address, port })),
    left_running: summary.left.map(({ pid, name }) => ({ pid, name })),
    age_seconds: summary.ageMs / 1000,
    idle_seconds: summary.idleMs / 1000,
    output_bytes: summary.outputBytes,
    last_line: summary.lastLine,
  };
}
