import type { SessionCard } from "../messages.ts";

/**
 * Sessions that wait for a person come first, then those that work, idle ones, and ended ones; the newest of each
 * first.
 */
export function compareCards(one: SessionCard, other: SessionCard): number {
  return rankOf(one) - rankOf(other) || one.ageMs - other.ageMs || one.key.localeCompare(other.key);
}

function rankOf({ needsPerson, exit, lost, isIdle }: SessionCard): number {
  if (needsPerson) return 0;
  if (exit || lost) return 3;
  return isIdle ? 2 : 1;
}
