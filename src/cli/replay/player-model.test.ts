import { expect, test } from "vitest";
import { describeReplay, type PlayState, placeAt, pressInReplay } from "./player-model.ts";

const length = { totalMs: 60_000, markersMs: [10_000, 30_000] };
const playing: PlayState = { atMs: 20_000, sinceMs: 1_000, speed: 2, isPaused: false };

/** After two seconds, which are four of the recording. */
function after(...keys: string[]): PlayState | undefined {
  return keys.reduce<PlayState | undefined>(
    (state, key) => state && pressInReplay(state, key, { nowMs: 3_000, length }),
    playing,
  );
}

test.each([
  [" ", { atMs: 24_000, isPaused: true }],
  ["\x1b[C", { atMs: 29_000 }],
  ["\x1b[D", { atMs: 19_000 }],
  ["0", { atMs: 0 }],
  ["]", { atMs: 30_000 }],
  ["[", { atMs: 10_000 }],
  ["+", { atMs: 24_000, speed: 4 }],
  ["-", { atMs: 24_000, speed: 1 }],
  ["x", playing],
])("%j moves the replay to its place", (key, state) => {
  expect(after(key)).toMatchObject(state);
});

test("a replay stays within the recording and its speeds within reason", () => {
  expect(after(...Array.from({ length: 20 }, () => "\x1b[C"))?.atMs).toBe(60_000);
  expect(after(...Array.from({ length: 20 }, () => "\x1b[D"))?.atMs).toBe(0);
  expect(after(...Array.from({ length: 20 }, () => "+"))?.speed).toBe(64);
  expect(after("]", "]")?.atMs).toBe(60_000);
});

test("a paused replay stands still, and says so", () => {
  const paused = after(" ");

  expect(paused && placeAt(paused, 99_000)).toBe(24_000);
  expect(paused && describeReplay(paused, 99_000, length)).toMatch(/^0:24 \/ 1:00 {2}paused {2}space pause/);
  expect(describeReplay(playing, 3_000, { ...length, totalMs: 3_723_000 })).toMatch(/^0:24 \/ 1:02:03 {2}2x/);
});

test.each(["q", "\x03", "\x1b"])("%j quits", (key) => {
  expect(after(key)).toBeUndefined();
});
