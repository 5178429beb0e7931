import { expect, test } from "vitest";
import { AnswerPace } from "./answer-pace.ts";

const bytes = (text: string) => Buffer.from(text);

test("the first pause and the longest one are counted since the last input", () => {
  const pace = new AnswerPace(0);
  pace.noteOutput(900);
  pace.noteTyped(bytes("x\r"), 5, 1_000);
  pace.noteOutput(1_020);
  pace.noteOutput(1_420);
  pace.noteOutput(1_430);

  expect(pace).toMatchObject({ firstPauseMs: 20, longestPauseMs: 400, typed: "line", typedAt: 5 });
});

test("before any input they are counted since the start", () => {
  const pace = new AnswerPace(100);
  pace.noteOutput(600);
  pace.noteOutput(650);

  expect(pace).toMatchObject({ firstPauseMs: 500, longestPauseMs: 50, typed: "nothing", typedAt: undefined });
});

test.each([
  ["a", "key"],
  ["\x1b[B", "key"],
  ["\t", "key"],
  ["\x7f", "key"],
  ["six\r", "line"],
  ["six\n", "line"],
  ["\x04", "line"],
  ["\x03", "signal"],
  ["\x1a", "signal"],
])("%j counts as %s", (text, kind) => {
  const pace = new AnswerPace(0);
  pace.noteTyped(bytes(text), 0, 1);

  expect(pace.typed).toBe(kind);
});

test("a key after Enter does not hide the Enter, and a program that waits has answered both", () => {
  const pace = new AnswerPace(0);
  pace.noteTyped(bytes("\r"), 0, 1);
  pace.noteTyped(bytes("a"), 0, 2);
  const before = pace.typed;
  pace.noteReady();

  expect([before, pace.typed]).toEqual(["line", "nothing"]);
});
