/** Which sessions are shown, and in which order. Pure. */
import type { SessionCard } from "../../api/messages.ts";

export const SHOWN = ["all", "waiting", "running", "idle", "ended"] as const;
export type Shown = (typeof SHOWN)[number];

export interface Filter {
  /** Words that all have to occur, in any case. */
  readonly text: string;
  readonly show: Shown;
}

/** Sessions that wait for a person come first, then running ones, idle shells, and ended ones; the newest first. */
export function chooseCards(cards: Iterable<SessionCard>, { text, show }: Filter): readonly SessionCard[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...cards]
    .filter((card) => show === "all" || stageOf(card) === show)
    .filter((card) => words.length === 0 || hasAll(card, words))
    .sort((one, other) => rankOf(one) - rankOf(other) || compareKeys(one, other));
}

export function stageOf(card: SessionCard): Exclude<Shown, "all"> {
  if (card.needsPerson) return "waiting";
  if (card.exit !== null || card.lost) return "ended";
  return card.isIdle ? "idle" : "running";
}

function rankOf(card: SessionCard): number {
  return SHOWN.indexOf(stageOf(card));
}

/** Ids grow: by place, then the newest first. This order does not change while sessions work. */
function compareKeys(one: SessionCard, other: SessionCard): number {
  return (one.place ?? "").localeCompare(other.place ?? "") || other.id - one.id;
}

function hasAll(card: SessionCard, words: readonly string[]): boolean {
  const { key, name, program, command, directory, owner, place, stateText, foreground, listening, lastLine } = card;
  const ports = listening.map(({ port }) => `:${port}`);
  const texts = [key, name, program, command, directory, owner?.caller, owner?.project, place ?? "local", stateText];
  const all = [...texts, foreground, lastLine, ...ports].join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}
