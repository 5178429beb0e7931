import { z } from "zod";
import { describeSandbox } from "../base/sandbox-request.ts";
import { describeLimitState } from "../base/session-limits.ts";
import { keyOf } from "../service/listing/session-key.ts";
import type { SessionSummary } from "../service/listing/session-summary.ts";
import { READ_ONLY } from "./annotations.ts";
import { describeListed, describeOwner } from "./answer/describe-listed.ts";
import { silentLines } from "./answer/describe-surroundings.ts";
import { type ListPage, listPage, moreLines } from "./answer/list-page.ts";
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
import { integer } from "./args/params.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

export const listSessions: Tool = defineTool({
  name: "list_sessions",
  description:
    "List this project's sessions: state, ports, last line. ended: also ended ones; grep: only lines that match.",
  annotations: { title: "List sessions", ...READ_ONLY },
  params: () => ({
    ended: z.boolean().default(false),
    all: z.boolean().default(false).describe("also other projects'"),
    grep: z.string().optional(),
    from: integer(0, Number.MAX_SAFE_INTEGER).default(0),
  }),
  outputSchema: fields(
    {
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
    },
    {
      next: whole,
      more: fields({
        waiting_for_input: whole,
        running: whole,
        left_running: whole,
        idle: whole,
        lost: whole,
        ended: whole,
      }),
    },
  ),
  async run({ ended, all, grep, from }, { sessions }) {
    const pattern = grep === undefined ? undefined : await patternOf(grep);
    const listed = await sessions.list({ ended, all });
    const page = listPage(listed, {
      from,
      describe: (summary) => `${describeListed(summary)}${all ? describeOwner(summary) : ""}`,
      ...(pattern ? { isWanted: (line: string) => pattern.test(line) } : {}),
    });
    const head = page.lines.length === 0 ? [describeNone(page.total, listed.length, from)] : page.lines;
    const text = [...head, ...moreLines(page), ...silentLines(sessions.silentPlaces?.() ?? [])].join("\n");
    // Most clients get the text alone.
    const structured = {
      get sessions() {
        return page.sessions.map(onTheWire);
      },
      ...(page.next === null ? {} : { next: page.next, more: moreOnTheWire(page) }),
    };
    return { text, structured };
  },
});

/** The pattern engine is large and loaded on first use. */
async function patternOf(source: string) {
  const { compilePattern } = await import("../text/search/pattern.ts");
  return compilePattern(source);
}

/** `total`: those that match. `all`: those that there are. */
function describeNone(total: number, all: number, from: number): string {
  if (total > 0) return `The list ends at ${total}, before from=${from}`;
  return all === 0 ? "No sessions. Start one with exec_command." : `No sessions. None of ${all} matches grep.`;
}

function moreOnTheWire({ more }: ListPage) {
  return {
    waiting_for_input: more["waiting for input"],
    running: more.running,
    left_running: more["ended with processes left"],
    idle: more.idle,
    lost: more.lost,
    ended: more.ended,
  };
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
