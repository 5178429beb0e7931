/**
 * All sessions, their last results and open questions in a few lines: for an agent whose context was compacted, and for
 * a person who comes back.
 */
import { describeExit } from "../../base/exit.ts";
import type { Approval } from "../../service/approvals/approval.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { LoggedCommand } from "../../session/command-log.ts";
import { quoteLine, wordOrQuote } from "../../text/clean/quote-line.ts";
import { describeSession } from "./describe-result.ts";

/** At most 300 tokens: names, paths and numbers have about three bytes to a token. */
const MAX_BYTES = 900;
/** More lines never fit: each has a dozen bytes at least. */
const MOST_LINES = 80;
const LAST_LINE_CHARS = 60;
const COMMAND_CHARS = 60;

/** A session, and the last command of a shell. */
export interface BriefSession
  extends Pick<
    SessionSummary,
    | "id"
    | "name"
    | "place"
    | "exit"
    | "lost"
    | "isIdle"
    | "waitingFor"
    | "program"
    | "command"
    | "directory"
    | "listening"
    | "ageMs"
    | "lastLine"
    | "frozen"
  > {
  readonly lastCommand: Pick<LoggedCommand, "command" | "exitCode"> | null;
}

interface BriefOptions {
  /** Also the sessions of other projects. */
  readonly all: boolean;
  /** The call or command that lists all sessions. */
  readonly more: string;
}

export async function readBrief(service: SessionService, { all, more }: BriefOptions): Promise<string> {
  const [listed, open] = await Promise.all([service.list({ ended: true, all }), service.approvals.list()]);
  const sessions = await Promise.all(
    inOrder(listed).map(async (summary, index) => ({
      ...summary,
      lastCommand: index < MOST_LINES ? await lastCommandOf(service, summary) : null,
    })),
  );
  return describeBrief(sessions, more, open);
}

/** Only shells have a directory. */
async function lastCommandOf(service: SessionService, summary: SessionSummary) {
  if (summary.directory === null) return null;
  const commands = await service.history(keyOf(summary)).catch(() => []);
  return commands.findLast(({ to }) => to !== null) ?? null;
}

/** Pure. `more` is the call or command that lists all of them. */
export function describeBrief(
  sessions: readonly BriefSession[],
  more: string,
  approvals: readonly BriefApproval[] = [],
): string {
  const asked = approvals.length === 0 ? [] : [describeOpen(approvals)];
  if (sessions.length === 0) return [...asked, "No sessions."].join("\n");
  const sorted = inOrder(sessions);
  const lines = [...asked, headOf(sessions)];
  const rest = (count: number) => (count === 0 ? [] : [`${count} more: ${more}`]);
  for (const [index, session] of sorted.entries()) {
    const left = sorted.length - index - 1;
    const longer = [...lines, lineOf(session)];
    if (Buffer.byteLength([...longer, ...rest(left)].join("\n")) > MAX_BYTES)
      return [...lines, ...rest(left + 1)].join("\n");
    lines.push(lineOf(session));
  }
  return lines.join("\n");
}

type BriefApproval = Pick<Approval, "number" | "act">;

/** The oldest one in words. */
function describeOpen([first, ...others]: readonly BriefApproval[]): string {
  const [{ number, act }] = [first as BriefApproval];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const text = quoteLine(act.text, { maxChars: COMMAND_CHARS });
  return `${others.length + 1} waiting for approval: ${number} ${text}${more}`;
}

const GROUPS = ["waiting for input", "running", "failed or lost", "idle", "ended"] as const;

type Ranked = Pick<BriefSession, "exit" | "lost" | "isIdle" | "waitingFor" | "ageMs">;

function inOrder<T extends Ranked>(sessions: readonly T[]): readonly T[] {
  return sessions.toSorted((one, other) => rankOf(one) - rankOf(other) || one.ageMs - other.ageMs);
}

/** Open questions first, then what runs, then failures. */
function rankOf({ exit, lost, isIdle, waitingFor }: Ranked): number {
  if (lost) return 2;
  if (exit) return exit.kind === "code" && exit.code === 0 ? 4 : 2;
  if (isIdle) return 3;
  return isAsking(waitingFor) ? 0 : 1;
}

function isAsking(waitingFor: BriefSession["waitingFor"]): boolean {
  return waitingFor !== null && waitingFor !== "unknown";
}

function headOf(sessions: readonly BriefSession[]): string {
  const counts = GROUPS.map((group, rank) => [group, sessions.filter((each) => rankOf(each) === rank).length] as const);
  const parts = counts.filter(([, count]) => count > 0).map(([group, count]) => `${count} ${group}`);
  return `${sessions.length} ${sessions.length === 1 ? "session" : "sessions"}: ${parts.join(", ")}`;
}

function lineOf(session: BriefSession): string {
  const { lastLine, lastCommand, directory, listening } = session;
  const ports = listening.map(({ port }) => `, port ${port}`).join("");
  const last = lastLine === "" ? "" : ` | ${quoteLine(lastLine, { maxChars: LAST_LINE_CHARS })}`;
  const ran =
    lastCommand === null
      ? ""
      : `, last ${quoteLine(lastCommand.command, { maxChars: COMMAND_CHARS })} code ${lastCommand.exitCode ?? "unknown"}`;
  const what = directory === null ? `: ${quoteLine(session.program, { maxChars: COMMAND_CHARS })}` : ran;
  return `${describeSession(session)} ${stateOf(session)}${ports}${what}${last}`;
}

function stateOf({ exit, lost, frozen, isIdle, waitingFor, command, directory }: BriefSession): string {
  if (lost) return "lost with its host";
  if (exit) return describeExit(exit);
  if (frozen) return "frozen by a person";
  if (isIdle) return `idle in ${wordOrQuote(directory ?? "")}`;
  const runs = command === null ? "" : ` ${quoteLine(command, { maxChars: COMMAND_CHARS })}`;
  return isAsking(waitingFor) ? `waits for input (${waitingFor})${runs}` : `running${runs}`;
}
