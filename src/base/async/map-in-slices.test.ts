import { expect, test } from "vitest";
import { mapInSlices } from "./map-in-slices.ts";

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("the results are in the order of the items", async () => {
  const results = await mapInSlices([3, 1, 2], async (item) => {
    await new Promise((resolve) => setTimeout(resolve, item));
    return item * 2;
  });

  expect(results).toEqual([6, 2, 4]);
});

test("other work has its turn between items whose start takes long", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);

  await mapInSlices([1, 2, 3, 4], async () => busyFor(6));
  clearInterval(timer);

  expect(turns).toBeGreaterThanOrEqual(2);
});

test("a few are worked on at once, however many there are", async () => {
  let [now, most] = [0, 0];
  await mapInSlices(Array.from({ length: 100 }), async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now -= 1;
  });

  expect(most).toBe(16);
});

test("rejects with the first error, after which no other is unhandled", async () => {
  const work = async (item: number) => {
    busyFor(5);
    throw new Error(`no ${item}`);
  };

  await expect(mapInSlices([1, 2], work)).rejects.toThrow("no 1");
});
