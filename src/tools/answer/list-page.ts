/**
 * A page of a list of sessions for a model: sessions that need it come first, the text is bounded, and a count shows
 * how many sessions of each state follow. Pure.
 */
import { MAX_LIST_TOKENS, MAX_LISTED_SESSIONS } from "../../base/limits.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";

const MAX_BYTES = MAX_LIST_TOKENS * 4;

/** In the order of the list. A session is in the first that applies. */
const STATES = ["waiting for input", "running", "ended with processes left", "idle", "lost", "ended"] as const;

type ListedState = (typeof STATES)[number];

interface PageOptions {
  /** How many sessions to skip. */
  readonly from: number;
  readonly describe: (session: SessionSummary) => string;
  /** Which lines belong to the list. Default: all. */
  readonly isWanted?: ((line: string) => boolean) | undefined;
}

export interface ListPage {
  readonly sessions: readonly SessionSummary[];
  /** One for each of them. */
  readonly lines: readonly string[];
  /** The sessions of the whole list. */
  readonly total: number;
  /** Where the next page begins; null if this is the last one. */
  readonly next: number | null;
  /** The sessions after this page. */
  readonly more: Readonly<Record<ListedState, number>>;
}

export function listPage(all: readonly SessionSummary[], { from, describe, isWanted }: PageOptions): ListPage {
  const sorted = all.toSorted(compare);
  const listed = isWanted ? sorted.filter((session) => isWanted(describe(session))) : sorted;
  const lines: string[] = [];
  let bytes = 0;
  for (const session of listed.slice(from, from + MAX_LISTED_SESSIONS)) {
    const line = describe(session);
    bytes += Buffer.byteLength(line) + 1;
    // At least one line, so that the next page is not the same one.
    if (bytes > MAX_BYTES && lines.length > 0) break;
    lines.push(line);
  }
  const end = from + lines.length;
  return {
    sessions: listed.slice(from, end),
    lines,
    total: listed.length,
    next: end < listed.length ? end : null,
    more: countStates(listed.slice(end)),
  };
}

/** Says how many follow, and how to see them; empty if none do. */
export function moreLines({ next, more }: Pick<ListPage, "next" | "more">): string[] {
  if (next === null) return [];
  const counted = STATES.filter((state) => more[state] > 0);
  const total = counted.reduce((sum, state) => sum + more[state], 0);
  const states = counted.map((state) => `${more[state]} ${state}`).join(", ");
  return [`${total} more (${states}): continue with from=${next}, or pass grep="REGEX" to list only lines that match`];
}

/** By project and state; then place by place, the latest first. Not by age: it would differ from page to page. */
function compare(one: SessionSummary, other: SessionSummary): number {
  return rankOf(one) - rankOf(other) || comparePlaces(one.place ?? "", other.place ?? "") || other.id - one.id;
}

function comparePlaces(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The own project first, then by state. */
function rankOf(session: SessionSummary): number {
  return (session.isOwnProject ? 0 : STATES.length) + STATES.indexOf(stateOf(session));
}

function stateOf({ exit, lost, left, isIdle, waitingFor }: SessionSummary): ListedState {
  if (lost) return "lost";
  if (exit) return left.length > 0 ? "ended with processes left" : "ended";
  if (isIdle) return "idle";
  return waitingFor === null || waitingFor === "unknown" ? "running" : "waiting for input";
}

function countStates(sessions: readonly SessionSummary[]): Readonly<Record<ListedState, number>> {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<ListedState, number>;
  for (const session of sessions) counts[stateOf(session)] += 1;
  return counts;
}
