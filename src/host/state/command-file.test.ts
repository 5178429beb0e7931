import { expect, test } from "vitest";
import { parseCommands } from "./command-file.ts";

const started = {
  number: 1,
  command: "make",
  caller: "agent",
  cwd: "/tmp",
  startedAt: 1,
  from: 5,
  to: null,
  durationMs: null,
  exitCode: null,
};
const finished = { ...started, to: 9, durationMs: 3, exitCode: 0 };
const next = { ...started, number: 2, from: 9 };
const line = (value: unknown) => `${JSON.stringify(value)}\n`;

test("of each command the last line counts", () => {
  expect(parseCommands(line(started) + line(finished) + line(next))).toEqual([finished, next]);
});

test.each([
  ["half a line", `${line(finished)}{"number":2,"comm`],
  ["another form", line(finished) + line({ ...next, from: -1 })],
  ["a cursor that goes back", line(finished) + line({ ...next, from: 1 })],
  ["an end before its start", line(finished) + line({ ...next, to: 1 })],
  ["no JSON", `\0\0\n${line(finished)}[]\nnull\n`],
])("%s is skipped", (_, content) => {
  expect(parseCommands(content)).toEqual([finished]);
});

test("every line with one changed byte is read or skipped, and never fails", () => {
  const whole = line(finished);
  for (let at = 0; at < whole.length; at += 1) {
    const changed = `${whole.slice(0, at)}${String.fromCharCode(whole.charCodeAt(at) ^ 1)}${whole.slice(at + 1)}`;
    expect(parseCommands(changed).length).toBeLessThanOrEqual(1);
  }
});
