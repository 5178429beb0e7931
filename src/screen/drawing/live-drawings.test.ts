import { expect, test } from "vitest";
import { type LiveDrawing, LiveDrawings } from "./live-drawings.ts";

function fakeDrawing(
  name: string,
  evicted: string[],
  { isWatched = false }: { isWatched?: boolean } = {},
): LiveDrawing {
  return { cells: () => 10, isWatched: () => isWatched, evict: () => evicted.push(name) };
}

test("the least recently seen makes room for a new one", () => {
  const evicted: string[] = [];
  const live = new LiveDrawings(30);
  const [one, two, three, four] = ["one", "two", "three", "four"].map((name) => fakeDrawing(name, evicted));
  for (const drawing of [one, two, three, one, four]) live.touch(drawing as LiveDrawing);

  expect(evicted).toEqual(["two"]);
  expect([live.count, live.cells]).toEqual([3, 30]);
});

test("one that is watched stays, and so does the one that is seen now", () => {
  const evicted: string[] = [];
  const live = new LiveDrawings(5);
  live.touch(fakeDrawing("watched", evicted, { isWatched: true }));
  live.touch(fakeDrawing("old", evicted));
  live.touch(fakeDrawing("new", evicted));

  expect(evicted).toEqual(["old"]);
  expect(live.count).toBe(2);
});

test("what is free takes no room", () => {
  const evicted: string[] = [];
  const live = new LiveDrawings(20);
  const gone = fakeDrawing("gone", evicted);
  live.touch(gone);
  live.delete(gone);
  live.touch(fakeDrawing("one", evicted));
  live.touch(fakeDrawing("two", evicted));

  expect(evicted).toEqual([]);
});
