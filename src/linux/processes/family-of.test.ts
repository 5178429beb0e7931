import { expect, test } from "vitest";
import { familyOf } from "./family-of.ts";

const alive = [
  { pid: 40, parent: 30 },
  { pid: 30, parent: 20 },
  { pid: 20, parent: 10 },
  { pid: 50, parent: 1 },
];

test("grandchildren belong to the family, in any order of the list", () => {
  expect([...familyOf([10], alive)].toSorted()).toEqual([10, 20, 30, 40]);
  expect([...familyOf([10], alive.toReversed())].toSorted()).toEqual([10, 20, 30, 40]);
});

test("a process adopted by another parent does not belong to it, nor does any ancestor", () => {
  expect([...familyOf([30], alive)].toSorted()).toEqual([30, 40]);
  expect([...familyOf([50], alive)]).toEqual([50]);
});

test("no ancestors have no family", () => {
  expect(familyOf([], alive).size).toBe(0);
});
