/** What an answer tells of a session beside what was asked for: who else is at it, what is missing of it, what else runs. */

import type { JournalHealth } from "../journal/disk-journal.ts";
import type { Hold, SessionIdentity, SessionKey, SessionLeftovers, SessionName } from "../service/session-service.ts";
import type { ToolContext } from "./define-tool.ts";
import { describeSession } from "./describe-result.ts";

export interface AboutSession {
  /** A line each. */
  readonly notes: readonly string[];
  /** Other sessions that are running. */
  readonly others: readonly SessionName[];
}

/** What is found out beside who it is. */
interface Around {
  readonly running: readonly SessionName[];
  readonly leftovers: readonly SessionLeftovers[];
  readonly typedByOthers: number;
}

type Asked = Pick<ToolContext, "sessions" | "caller">;

export async function aboutSession(asked: Asked, key: SessionKey): Promise<AboutSession & { readonly id: number }> {
  const [identity, around] = await Promise.all([asked.sessions.identify(key), lookAround(asked, key)]);
  return { id: identity.id, ...describeAround(identity, around) };
}

/** All at once: each question is a way to the host and back. Who is told what others have typed is not told it again. */
export async function lookAround({ sessions, caller }: Asked, key: SessionKey): Promise<Around> {
  const [running, leftovers, typedByOthers] = await Promise.all([
    sessions.running(),
    sessions.leftovers(),
    sessions.typedByOthers(key, caller),
  ]);
  return { running, leftovers, typedByOthers };
}

export function describeAround(session: SessionIdentity, { running, leftovers, typedByOthers }: Around): AboutSession {
  const { held, closedAfterIdleMs, lost, journal } = session;
  return {
    others: running.filter(({ id }) => id !== session.id),
    notes: [
      ...(typedByOthers === 0 ? [] : [`Typed by others: ${typedByOthers} bytes`]),
      ...(held === null ? [] : [`Held by a person${describeReason(held)}: do not type`]),
      ...(closedAfterIdleMs === null ? [] : [`Closed: ${describeIdle(closedAfterIdleMs)}`]),
      ...(lost ? ["Lost: its host died; what it had printed by then can be read"] : []),
      ...(journal?.kind === "degraded" ? [`Warning: ${describeJournal(journal)}`] : []),
      ...leftovers.map((left) => `Left running by session ${describeSession(left)}: ${describeLeft(left)}`),
    ],
  };
}

export function describeReason({ reason }: Hold): string {
  return reason === null ? "" : ` (${reason})`;
}

/** Each name once. */
export function describeLeft({ left }: Pick<SessionLeftovers, "left">): string {
  return [...new Set(left.map(({ name }) => name))].join(", ");
}

export function describeJournal({ lostBytes, reason }: JournalHealth & { readonly kind: "degraded" }): string {
  return `journal on disk incomplete: ${lostBytes} bytes missing (${reason})`;
}

export function describeIdle(idleMs: number): string {
  return `nobody had used it for ${Math.round(idleMs / 100) / 10} s`;
}
