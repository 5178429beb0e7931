import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { mergeStreams, type Source } from "./merge-streams.ts";

const open = new AbortController().signal;

function counting(count: number, taken: number[] = []): Source<number> {
  return async function* () {
    for (let i = 1; i <= count; i += 1) {
      yield i;
      taken.push(i);
    }
  };
}

const endless: Source<number> = async function* (signal) {
  await sleep(60_000, undefined, { signal });
  yield 0;
};

test("each value of each stream arrives once, in the order of its stream", async () => {
  const got: number[] = [];
  for await (const value of mergeStreams([counting(3), counting(2)], open)) got.push(value);

  expect(got.toSorted()).toEqual([1, 1, 2, 2, 3]);
});

test("a stream waits until its value was taken", async () => {
  const taken: number[] = [];
  const merged = mergeStreams([counting(5, taken)], open);

  await merged.next();
  await sleep(5);

  expect(taken).toEqual([]);
  await merged.return();
});

test("an error of one ends all, and nobody waits for the others", async () => {
  const failing: Source<number> = async function* () {
    yield 1;
    throw new Error("broken");
  };
  const merged = mergeStreams([failing, endless], open);

  expect(await merged.next()).toMatchObject({ value: 1 });
  await expect(merged.next()).rejects.toThrow("broken");
});

test("an abort ends it at once", async () => {
  const stop = new AbortController();
  const next = mergeStreams([endless], stop.signal).next();

  stop.abort();

  expect(await next).toMatchObject({ done: true });
});
