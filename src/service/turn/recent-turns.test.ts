import { expect, test } from "vitest";
import { MAX_BARE_TURNS, MAX_RECENT_TURNS, RECENT_TURN_CHARS } from "../../base/limits.ts";
import type { Receipt } from "./receipt.ts";
import { droppedTextOf, RecentTurns } from "./recent-turns.ts";
import type { TurnAnswer } from "./turn-answer.ts";

function answerOf(chars: number): { readonly answer: TurnAnswer; readonly taken: Receipt } {
  const output = { text: "x".repeat(chars), from: 0, next: chars };
  const around = { running: [{ id: 1, name: null }], leftovers: [] };
  const answer = { output, command: null, matches: null, screen: null, around } as unknown as TurnAnswer;
  return { answer, taken: {} as Receipt };
}

test("a request that is sent again finds its turn, and one of another client does not", () => {
  const recent = new RecentTurns();
  const turn = recent.turnOf("a", "1");

  expect(recent.turnOf("a", "1")).toBe(turn);
  expect(recent.turnOf("b", "1")).not.toBe(turn);
  expect(recent.turnOf("a", undefined)).not.toBe(recent.turnOf("a", undefined));
});

test("a turn that ends after many others is remembered like the latest", () => {
  const recent = new RecentTurns();
  const slow = recent.turnOf("a", "slow");
  for (let n = 0; n < MAX_RECENT_TURNS + 10; n += 1) recent.turnOf("a", String(n));

  recent.keep("a", "slow", slow);

  expect(recent.turnOf("a", "slow")).toBe(slow);
});

test("the texts of the oldest answers go first, and the ranges stay", () => {
  const recent = new RecentTurns();
  const turns = ["1", "2", "3"].map((id) => recent.turnOf("a", id));
  for (const turn of turns) recent.noteAnswer(turn, answerOf(RECENT_TURN_CHARS / 2 - 2_000));

  const kept = turns.map(({ answered }) => answered?.answer as TurnAnswer);
  expect(kept.map((answer) => droppedTextOf(answer) !== undefined)).toEqual([true, false, false]);
  expect(kept.map(({ output }) => output?.next)).toEqual(Array(3).fill(RECENT_TURN_CHARS / 2 - 2_000));
  expect(kept.map(({ around }) => around.running.length)).toEqual([0, 1, 1]);
});

test("of many thousands of answers the oldest are forgotten, and refused instead of acted on again", () => {
  const recent = new RecentTurns();
  const turns = Array.from({ length: MAX_BARE_TURNS + 2 }, (_, n) => recent.turnOf(`caller ${n % 10}`, String(n)));
  for (const turn of turns) recent.noteAnswer(turn, answerOf(1));
  // Leaves no room for the text of any other.
  recent.noteAnswer(recent.turnOf("a", "long"), answerOf(RECENT_TURN_CHARS));

  const [first, second, third] = turns;
  for (const forgotten of [first, second])
    expect(() => forgotten?.requireKnown()).toThrow(expect.objectContaining({ code: "LINK_LOST" }));
  expect(third?.answered).toBeDefined();
  expect(() => third?.requireKnown()).not.toThrow();
});

test("an answered turn keeps no session, and its answer is given back once", () => {
  const turn = new RecentTurns().turnOf("a", "1");
  turn.acted = Promise.resolve({ sessions: [], isReused: true, typing: undefined, command: undefined });
  const answered = answerOf(1);

  new RecentTurns().noteAnswer(turn, answered);

  expect(turn.acted).toBeUndefined();
  expect([turn.takeAnswer(), turn.takeAnswer()]).toEqual([answered, undefined]);
});

test("two requests with the same id read one after the other", async () => {
  const turn = new RecentTurns().turnOf("a", "1");
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} starts`);
    await Promise.resolve();
    log.push(`${name} ends`);
  };

  await Promise.all([turn.inOrder(work("one")), turn.inOrder(work("other"))]);

  expect(log).toEqual(["one starts", "one ends", "other starts", "other ends"]);
});
