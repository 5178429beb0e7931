import { expect, test } from "vitest";
import { isSamePrompt, type PromptMark } from "./reported-events.ts";

const line: PromptMark = { state: "line", lastInputMs: 5, cursor: 100, fingerprint: "7 1" };
const key: PromptMark = { state: "key", lastInputMs: 5, cursor: 100, fingerprint: "" };

test.each([
  ["nothing has happened", line, {}, true],
  ["another thread has printed", line, { cursor: 200 }, true],
  ["a signal has woken the reader for a moment", line, { fingerprint: "7 2" }, true],
  ["it has printed and reads again", line, { cursor: 200, fingerprint: "7 2" }, false],
  ["something was typed, even without an echo", line, { lastInputMs: 6, fingerprint: "7 2" }, false],
  ["it asks for a password now", line, { state: "password" }, false],
  ["a program that reads keys draws a spinner", key, { cursor: 200, fingerprint: "8 9" }, true],
  ["a key was pressed", key, { lastInputMs: 6 }, false],
])("when %s, a prompt like %j with %j is the same: %s", (_what, reported, change, isSame) => {
  expect(isSamePrompt(reported, { ...reported, ...change })).toBe(isSame);
});
