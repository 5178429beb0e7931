import type { SessionCard } from "../messages.ts";

/** What waits for a person comes first, then what works, what is idle, and what has ended; the newest of each first. */
export function compareCards(one: SessionCard, other: SessionCard): number {
  return rankOf(one) - rankOf(other) || one.ageMs - other.ageMs || one.key.localeCompare(other.key);
}

function rankOf({ needsPerson, exit, lost, isIdle }: SessionCard): number {
  if (needsPerson) return 0;
  if (exit || lost) return 3;
  return isIdle ? 2 : 1;
}
