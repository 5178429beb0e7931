import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

test("a full map drops the entry that was used least recently", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2).set("c", 3);

  expect([...map]).toEqual([
    ["b", 2],
    ["c", 3],
  ]);
});

test("reading an entry counts as use", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2);

  map.get("a");
  map.set("c", 3);

  expect([...map.keys()]).toEqual(["a", "c"]);
});

test("writing an entry again counts as use, and drops nothing", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2).set("a", 3);

  expect([...map]).toEqual([
    ["b", 2],
    ["a", 3],
  ]);
});

test("reading a missing entry leaves the order alone", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2);

  expect(map.get("x")).toBeUndefined();
  expect([...map.keys()]).toEqual(["a", "b"]);
});
