import { expect, test } from "vitest";
import { nextShare } from "./next-share.ts";

test("those who ask get one share per turn of the loop, in turn", async () => {
  let turn = 0;
  const count = () => {
    turn += 1;
    ticking = setImmediate(count);
  };
  let ticking = setImmediate(count);
  const served: { readonly who: string; readonly turn: number }[] = [];
  const work = async (who: string) => {
    for (let i = 0; i < 3; i += 1) {
      await nextShare();
      served.push({ who, turn });
    }
  };

  await Promise.all([work("a"), work("b")]);
  clearImmediate(ticking);

  expect(served.map(({ who }) => who)).toEqual(["a", "b", "a", "b", "a", "b"]);
  expect(new Set(served.map((each) => each.turn)).size).toBe(6);
});
