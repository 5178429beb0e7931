/** What a screen reader announces when something changes. Pure. */
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { SessionCard } from "../../api/messages.ts";
import type { PageState } from "./page-state.ts";

/** Null if nothing new needs a person. */
export function announcementOf(before: PageState, after: PageState): string | null {
  // The first list is not announced.
  if (!before.cards || !after.cards) return null;
  const waiting = [...after.cards.values()].filter(
    (card) => card.needsPerson && before.cards?.get(card.key)?.needsPerson !== true,
  );
  const known = new Set(before.approvals.map(({ number }) => number));
  const asked = after.approvals.filter(({ number }) => !known.has(number));
  const parts = [
    ...waiting.map((card) => `Session ${nameOf(card)} ${visibleLine(card.stateText)}.`),
    ...asked.map(({ caller }) => `${visibleLine(caller)} asks for approval.`),
  ];
  return parts.length === 0 ? null : parts.join(" ");
}

/** How many things wait for a person, for the title of the window. */
export function countWaiting({ cards, approvals }: PageState): number {
  const waiting = [...(cards?.values() ?? [])].filter(({ needsPerson }) => needsPerson).length;
  return Math.max(waiting, approvals.length);
}

/** The name of a session for people, in which nothing can hide. */
export function nameOf({ key, name }: Pick<SessionCard, "key" | "name">): string {
  return name === null ? visibleLine(key) : `${visibleLine(key)} ${visibleLine(name)}`;
}
