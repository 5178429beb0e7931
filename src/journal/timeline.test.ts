import { expect, test } from "vitest";
import { MAX_ARRIVAL_TIMES, MAX_SIZE_CHANGES } from "../base/limits.ts";
import { Timeline } from "./timeline.ts";

test("output that came within some milliseconds counts as one piece", () => {
  const timeline = new Timeline(1000);
  timeline.note(0, 1000);
  timeline.note(5, 1004);
  timeline.note(10, 1020);

  expect(timeline.times(2, 15)).toEqual([
    { from: 2, to: 10, atMs: 0 },
    { from: 10, to: 15, atMs: 20 },
  ]);
});

test("too many times become coarser, and still cover every byte", () => {
  const timeline = new Timeline(0);
  for (let index = 0; index < 100_000; index += 1) timeline.note(index, index * 10);

  const spans = timeline.times(0, 100_000);

  expect(spans.length).toBeLessThanOrEqual(MAX_ARRIVAL_TIMES);
  expect(spans.length).toBeGreaterThan(MAX_ARRIVAL_TIMES / 4);
  expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([0, 100_000]);
  expect(spans.every(({ from, to }, index) => to === (spans[index + 1]?.from ?? 100_000) && from < to)).toBe(true);
  expect(spans.every(({ from, atMs }) => atMs === from * 10)).toBe(true);
});

test("of too many sizes the first and the latest are kept", () => {
  const timeline = new Timeline(0);
  for (let cols = 1; cols <= MAX_SIZE_CHANGES + 5; cols += 1) timeline.noteSize(cols, { cols, rows: 1 });

  expect(timeline.sizes.length).toBe(MAX_SIZE_CHANGES);
  expect(timeline.sizeAt(0)).toEqual({ cols: 1, rows: 1 });
  expect(timeline.sizeAt(1_000_000)).toEqual({ cols: MAX_SIZE_CHANGES + 5, rows: 1 });
});
