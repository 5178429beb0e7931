import { expect, test } from "vitest";
import { summary } from "../../../../test/support/web/summaries.ts";
import { cardOf } from "./card-of.ts";
import { compareCards } from "./compare-cards.ts";

test("what waits for a person comes first, then what works, what is idle and what has ended, the newest first", () => {
  const cards = [
    summary({ id: 1, exit: { kind: "code", code: 0 }, ageMs: 1 }),
    summary({ id: 2, isIdle: true, ageMs: 1 }),
    summary({ id: 3, ageMs: 9 }),
    summary({ id: 4, ageMs: 5 }),
    summary({ id: 5, waitingFor: "password", ageMs: 99 }),
    summary({ id: 6, lost: true }),
  ].map((each) => cardOf(each, []));

  expect(cards.sort(compareCards).map(({ id }) => id)).toEqual([5, 4, 3, 2, 6, 1]);
});
