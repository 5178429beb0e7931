import { expect, test } from "vitest";
import { Reel } from "./reel.ts";
import type { Still } from "./still.ts";

function still(atMs: number, text: string): Still {
  return { atMs, size: { cols: 80, rows: 1 }, grounds: [""], texts: [text], caret: undefined, shapes: new Map() };
}

function kept({ stills }: Reel): readonly (readonly [number, string | undefined])[] {
  return stills.map(({ atMs, texts }) => [atMs, texts[0]]);
}

function reelOf(stills: readonly Still[], options: ConstructorParameters<typeof Reel>[0] = {}): Reel {
  const reel = new Reel(options);
  for (const one of stills) reel.add(one);
  return reel;
}

test("a still that looks like the one before is none", () => {
  expect(kept(reelOf([still(0, "a"), still(100, "a"), still(200, "b"), still(300, "a")]))).toEqual([
    [0, "a"],
    [200, "b"],
    [300, "a"],
  ]);
});

test("of stills that are close together the outcome is shown, from the first one's time on", () => {
  expect(kept(reelOf([still(0, "a"), still(100, "b"), still(139, "c"), still(140, "d")]))).toEqual([
    [0, "a"],
    [100, "c"],
    [140, "d"],
  ]);
});

test("a change that is taken back at once is none", () => {
  expect(kept(reelOf([still(0, "a"), still(100, "b"), still(120, "a"), still(200, "c")]))).toEqual([
    [0, "a"],
    [200, "c"],
  ]);
});

test("where there are too many, they lie further apart, and the last is there", () => {
  const reel = reelOf(
    Array.from({ length: 1000 }, (_, index) => still(index * 40, `row ${index}`)),
    { mostStills: 100 },
  );

  expect(reel.stills.length).toBeLessThanOrEqual(100);
  expect(reel.stills.length).toBeGreaterThan(50);
  expect(reel.intervalMs).toBe(640);
  expect(reel.stills.at(-1)?.texts).toEqual(["row 999"]);
});

test("where too much is in them, likewise; what is shown again counts once", () => {
  const row = (index: number) => `${index} `.repeat(1000);
  const many = Array.from({ length: 50 }, (_, index) => still(index * 40, row(index)));
  const few = Array.from({ length: 50 }, (_, index) => still(index * 40, row(index % 2)));

  const reel = reelOf(many, { mostBytes: 10_000 });

  expect(reel.intervalMs).toBeGreaterThan(40);
  expect(reel.stills.at(-1)?.texts).toEqual([row(49)]);
  expect(reelOf(few, { mostBytes: 10_000 }).stills).toHaveLength(50);
});
