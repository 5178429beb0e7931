import { expect, test } from "vitest";
import { familyOf } from "./family-of.ts";

const alive = [
  { pid: 40, parent: 30 },
  { pid: 30, parent: 20 },
  { pid: 20, parent: 10 },
  { pid: 50, parent: 1 },
];

test("children of children belong to it, in whatever order they are told", () => {
  expect([...familyOf([10], alive)].toSorted()).toEqual([10, 20, 30, 40]);
  expect([...familyOf([10], alive.toReversed())].toSorted()).toEqual([10, 20, 30, 40]);
});

test("who was left to another parent does not belong to it, nor does anything above", () => {
  expect([...familyOf([30], alive)].toSorted()).toEqual([30, 40]);
  expect([...familyOf([50], alive)]).toEqual([50]);
});

test("of nobody, nobody is the family", () => {
  expect(familyOf([], alive).size).toBe(0);
});
