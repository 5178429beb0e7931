/** All that the page knows, and how each event of the stream changes it. Pure. */
import type { Me, PageEvents, SessionCard, ShownApproval } from "../../api/messages.ts";

/**
 * `connecting`: no event has arrived yet. `lost`: the connection broke, and the page reconnects. `signedOut`: the
 * server does not know this browser.
 */
type LinkState = "connecting" | "open" | "lost" | "signedOut";

/** An approval, and when it is denied if nobody decides, in milliseconds since 1970. */
export interface TimedApproval extends ShownApproval {
  readonly endsAtMs: number;
}

export interface PageState {
  readonly link: LinkState;
  readonly me: Me | null;
  /** Null until the first list has arrived. */
  readonly cards: ReadonlyMap<string, SessionCard> | null;
  readonly approvals: readonly TimedApproval[];
  readonly silent: PageEvents["silent"];
  /** Why the host does not answer; null if it does. */
  readonly hostProblem: string | null;
  /** Short messages for a person, newest last. */
  readonly notices: readonly Notice[];
}

export interface Notice {
  readonly id: number;
  readonly kind: "done" | "failed";
  readonly text: string;
}

export const FIRST_STATE: PageState = {
  link: "connecting",
  me: null,
  cards: null,
  approvals: [],
  silent: [],
  hostProblem: null,
  notices: [],
};

export function takeSessions(state: PageState, { isAll, cards, gone }: PageEvents["sessions"]): PageState {
  const next = new Map(isAll ? [] : state.cards);
  for (const key of gone) next.delete(key);
  for (const card of cards) next.set(card.key, card);
  return { ...state, link: "open", cards: next };
}

export function takeApprovals(state: PageState, approvals: PageEvents["approvals"], nowMs: number): PageState {
  return { ...state, approvals: approvals.map((each) => ({ ...each, endsAtMs: nowMs + each.leftMs })) };
}

/** Nobody reads more than a few at once. */
const MOST_NOTICES = 3;

export function addNotice(state: PageState, kind: Notice["kind"], text: string): PageState {
  const id = (state.notices.at(-1)?.id ?? 0) + 1;
  return { ...state, notices: [...state.notices, { id, kind, text }].slice(-MOST_NOTICES) };
}

export function dropNotice(state: PageState, id: number): PageState {
  return { ...state, notices: state.notices.filter((each) => each.id !== id) };
}
