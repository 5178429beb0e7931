import { expect, test } from "vitest";
import type { SessionCard } from "../../api/messages.ts";
import { chooseCards } from "./choose-cards.ts";
import { addNotice, FIRST_STATE, takeApprovals, takeSessions } from "./page-state.ts";

function card(id: number, rest: Partial<SessionCard> = {}): SessionCard {
  const known = { key: String(id), id, name: null, place: null, program: "bash", owner: null, command: null };
  const state = { stateText: "running", needsPerson: false, picture: "1", exit: null, lost: false, isIdle: false };
  return { ...known, ...state, directory: null, foreground: null, listening: [], lastLine: "", ...rest } as SessionCard;
}

const keysOf = (cards: Iterable<SessionCard> | undefined) => [...(cards ?? [])].map(({ key }) => key);

test("a complete list replaces what was known, and later ones change it", () => {
  const first = takeSessions(FIRST_STATE, { isAll: true, cards: [card(1), card(2)], gone: [] });
  const second = takeSessions(first, { isAll: false, cards: [card(3)], gone: ["1"] });
  const third = takeSessions(second, { isAll: true, cards: [card(4)], gone: [] });

  expect(keysOf(second.cards?.values())).toEqual(["2", "3"]);
  expect(keysOf(third.cards?.values())).toEqual(["4"]);
  expect(third.link).toBe("open");
});

test("cards that did not change stay the same objects", () => {
  const first = takeSessions(FIRST_STATE, { isAll: true, cards: [card(1), card(2)], gone: [] });
  const second = takeSessions(first, { isAll: false, cards: [card(2)], gone: [] });

  expect(second.cards?.get("1")).toBe(first.cards?.get("1"));
});

test("who waits for a person comes first, and who has ended last", () => {
  const cards = [card(1), card(2, { isIdle: true }), card(3, { needsPerson: true }), card(4, { lost: true }), card(5)];

  expect(keysOf(chooseCards(cards, { text: "", show: "all" }))).toEqual(["3", "5", "1", "2", "4"]);
  expect(keysOf(chooseCards(cards, { text: "", show: "idle" }))).toEqual(["2"]);
});

test("a search finds sessions that have all words anywhere", () => {
  const listening = [{ port: 5173, address: "::", pid: 1 }];
  const cards = [card(1, { program: "npm run dev", listening }), card(2, { name: "Deploy" }), card(3)];

  expect(keysOf(chooseCards(cards, { text: "DEPLOY", show: "all" }))).toEqual(["2"]);
  expect(keysOf(chooseCards(cards, { text: ":5173 npm", show: "all" }))).toEqual(["1"]);
  expect(keysOf(chooseCards(cards, { text: ":5173 bash", show: "all" }))).toEqual([]);
});

test("an approval knows when its time is up", () => {
  const state = takeApprovals(FIRST_STATE, [{ number: 3, leftMs: 500 } as never], 1_000);

  expect(state.approvals[0]?.endsAtMs).toBe(1_500);
});

test("only the newest notices are kept", () => {
  const state = ["a", "b", "c", "d"].reduce((before, text) => addNotice(before, "done", text), FIRST_STATE);

  expect(state.notices.map(({ text }) => text)).toEqual(["b", "c", "d"]);
});
