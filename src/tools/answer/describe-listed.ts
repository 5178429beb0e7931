/** One session in a list, as a line that a model reads. Its length is bounded, whatever the program does. */
import { describeExit } from "../../base/exit.ts";
import { listSome } from "../../base/format/list-some.ts";
import { describeSandbox } from "../../base/sandbox-request.ts";
import { describeLimitState } from "../../base/session-limits.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import { quoteLine, wordOrQuote } from "../../text/clean/quote-line.ts";
import { describeSession } from "./describe-result.ts";
import {
  describeAutoClose,
  describeInside,
  describeJournal,
  describeLeft,
  describeReason,
} from "./describe-surroundings.ts";

/** A command can be a whole script. */
const PROGRAM_CHARS = 200;
/** A server listens on a few ports, a scanner or a test on hundreds. */
const MOST_PORTS = 10;

export function describeListed(summary: SessionSummary): string {
  const { program, lastLine, listening } = summary;
  const addresses = listening.map(({ address, port }) => `${address} port ${port}`);
  const ports = addresses.length === 0 ? "" : `, listening on ${listSome(addresses, MOST_PORTS)}`;
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
export function describeOwner({ owner }: SessionSummary): string {
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
