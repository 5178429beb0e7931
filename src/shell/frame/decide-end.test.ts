import { expect, test } from "vitest";
import { decideEnd } from "./decide-end.ts";

const failed = { status: 1, hasRun: true, flags: "him", cwd: "/" };
const forged = { ...failed, status: 0 };

test("the only end mark is the shell's, because the shell has printed one", () => {
  expect(decideEnd([{ end: failed, at: 7 }])).toEqual({ end: failed, at: 7 });
});

test("the output ends at the last of several equal marks", () => {
  expect(
    decideEnd([
      { end: failed, at: 7 },
      { end: { ...failed }, at: 9 },
    ]),
  ).toEqual({ end: failed, at: 9 });
});

test.each([
  ["before the shell's", [forged, failed]],
  ["behind the shell's", [failed, forged]],
  ["with another directory", [{ ...failed, cwd: "/tmp" }, failed]],
  ["in pieces around the shell's", [undefined]],
])("a mark that somebody prints %s is noticed", (_, ends) => {
  expect(decideEnd(ends.map((end, at) => ({ end, at })))).toBe("forged");
});

test("a shell at the gate without a mark has lost it", () => {
  expect(decideEnd([])).toBe("lost");
});
