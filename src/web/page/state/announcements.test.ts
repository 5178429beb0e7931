import { expect, test } from "vitest";
import type { SessionCard } from "../../api/messages.ts";
import { announcementOf } from "./announcements.ts";
import { FIRST_STATE, type PageState } from "./page-state.ts";
import { splitKey } from "./sign-in.ts";

function state(cards: readonly Partial<SessionCard>[], approvals: readonly object[] = []): PageState {
  const full = cards.map((card) => ({ name: null, needsPerson: false, stateText: "idle", ...card }) as SessionCard);
  return { ...FIRST_STATE, cards: new Map(full.map((card) => [card.key, card])), approvals: approvals as never };
}

test("only what starts to wait is announced, as text in which nothing hides", () => {
  const before = state([{ key: "1", needsPerson: true }, { key: "2" }]);
  const after = state(
    [
      { key: "1", needsPerson: true },
      { key: "2", name: "a\u202eb", needsPerson: true, stateText: "waits for a password" },
    ],
    [{ number: 3, caller: "codex" }],
  );

  expect(announcementOf(FIRST_STATE, before)).toBeNull();
  expect(announcementOf(before, before)).toBeNull();
  expect(announcementOf(before, after)).toBe("Session 2 a\\u202eb waits for a password. codex asks for approval.");
});

test.each([
  ["#key=abc_-1", { key: "abc_-1", rest: "#/" }],
  ["#key=abc&view=/prompt/7", { key: "abc", rest: "#/prompt/7" }],
  ["#key=abc&view=javascript:alert(1)", { key: "abc", rest: "#/" }],
  ["#/session/7", { key: null, rest: "#/session/7" }],
  ["", { key: null, rest: "" }],
])("the key of %j leaves the address", (fragment, expected) => {
  expect(splitKey(fragment)).toEqual(expected);
});
