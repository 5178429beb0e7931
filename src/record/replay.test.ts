import { expect, test } from "vitest";
import type { CastEvent } from "./asciicast.ts";
import { type ReplayOptions, replay } from "./replay.ts";

async function* play(...events: CastEvent[]): AsyncGenerator<CastEvent> {
  yield* events;
}

async function times(options: Partial<ReplayOptions>, ...atMs: number[]) {
  const startedMs = performance.now();
  const shown: number[] = [];
  const write = () => void shown.push(performance.now() - startedMs);
  await replay(play(...atMs.map((ms) => ({ atMs: ms, kind: "output" as const, text: "x" }))), { write, ...options });
  return shown;
}

test("an event is not played before its time", async () => {
  const [first = 0, second = 0] = await times({}, 0, 120);

  expect(first).toBeLessThan(second);
  expect(second).toBeGreaterThanOrEqual(115);
});

test("a silence is cut to what is allowed, and speed makes it shorter", async () => {
  const [, , last = 0] = await times({ idleMs: 200, speed: 2 }, 0, 3_600_000, 7_200_000);

  expect(last).toBeGreaterThanOrEqual(195);
});

test("at infinite speed there are no pauses", async () => {
  expect(await times({ speed: Number.POSITIVE_INFINITY }, 0, 1e12, 2e12)).toHaveLength(3);
});

test("events other than output go to onEvent", async () => {
  const seen: CastEvent[] = [];
  const resize: CastEvent = { atMs: 0, kind: "resize", size: { cols: 5, rows: 5 } };

  await replay(play(resize), { write: () => expect.unreachable(), onEvent: (event) => seen.push(event) });

  expect(seen).toEqual([resize]);
});

test("an abort ends the wait for the next event", async () => {
  const stop = new AbortController();
  const playing = times({ signal: stop.signal }, 0, 3_600_000);
  stop.abort(new Error("enough"));

  await expect(playing).rejects.toThrow("enough");
});

test.each([0, -1, Number.NaN])("a speed of %d is refused", async (speed) => {
  await expect(times({ speed }, 0)).rejects.toThrow("speed must be");
});
