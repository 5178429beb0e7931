import { expect, test } from "vitest";
import { PromptMemory } from "./prompt-memory.ts";

test("a prompt is known to the program that showed it, whatever its number", () => {
  const memory = new PromptMemory();
  memory.note(7, "iex(1)> ");

  expect([memory.knows(7, "iex(2)> "), memory.knows(8, "iex(2)> ")]).toEqual([true, false]);
  expect([memory.hasAny(7), memory.hasAny(8)]).toEqual([true, false]);
});

test("a line that does not look like a prompt is one when the program has waited behind it twice", () => {
  const memory = new PromptMemory();
  memory.note(7, "ready");
  const once = memory.knows(7, "ready");
  memory.note(7, "ready");

  expect([once, memory.knows(7, "ready")]).toEqual([false, true]);
});

test("a prompt with text behind it is being edited", () => {
  const memory = new PromptMemory();
  memory.note(7, "> ");

  expect([memory.isEditing(7, "> 6 * 7"), memory.isEditing(7, "> "), memory.isEditing(7, "six")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("an empty line is not a prompt", () => {
  const memory = new PromptMemory();
  memory.note(7, "  ");
  memory.note(7, "  ");

  expect([memory.knows(7, " "), memory.hasAny(7)]).toEqual([false, false]);
});

test("the memory is bounded", () => {
  const memory = new PromptMemory();
  for (let pid = 0; pid < 100; pid += 1) memory.note(pid, "> ");

  expect([memory.hasAny(0), memory.hasAny(99)]).toEqual([false, true]);
});
