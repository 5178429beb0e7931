import { expect, test } from "vitest";
import type { LoggedCommand } from "../session/command-log.ts";
import { type CommandPart, CommandWeaver, commandLabel, commandLines } from "./command-lines.ts";

const command: LoggedCommand = {
  number: 1,
  command: "npm test",
  caller: "agent",
  cwd: "/tmp",
  startedAt: new Date(2026, 0, 2, 3, 4, 5).getTime(),
  from: 0,
  to: 10,
  durationMs: 3_200,
  exitCode: 1,
};
const started: CommandPart = { kind: "started", command };
const finished: CommandPart = { kind: "finished", command };
const bytes = (text: string) => Buffer.from(text);
/** Without colours. */
const plain = (text: string) => text.replaceAll(/\x1b\[[\d;]*m/g, "");

test("a command is a line with its time, and a line with its exit code and duration", () => {
  expect([...commandLines(started), ...commandLines(finished)]).toEqual([
    "❯ npm test  [03:04:05]",
    "└ exit code 1 after 3.2s",
  ]);
  expect(commandLabel(finished)).toBe("❯ npm test: exit code 1 after 3.2s");
});

test("a script is shortened, and what acts on a terminal is made visible", () => {
  const script = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");

  expect(commandLines({ kind: "started", command: { ...command, command: script } }).slice(7)).toEqual([
    "  line 7",
    "  … 4 more lines",
  ]);
  expect(commandLines({ kind: "started", command: { ...command, command: "echo \x1b[2J\x07" } })[0]).toBe(
    "❯ echo ⟨U+001B⟩[2J⟨U+0007⟩  [03:04:05]",
  );
});

test.each([
  ["", ""],
  ["ready\r\n", ""],
  ["ready\r\n\x1b[0m\x1b[?2004h", ""],
  ["no line end", "\r\n"],
  ["red \x1b[0m", "\r\n"],
])("after %j the line of a command begins with %j", (output, before) => {
  const weaver = new CommandWeaver();
  weaver.noteOutput(bytes(output));

  expect(plain(weaver.weave(started))).toBe(`${before}❯ npm test  [03:04:05]\r\n`);
  expect(plain(weaver.weave(finished))).toBe("└ exit code 1 after 3.2s\r\n");
});

test("nothing is put on the screen of a full-screen program", () => {
  const weaver = new CommandWeaver();
  weaver.noteOutput(bytes("\x1b[?1049h"));

  expect(weaver.weave(started)).toBe("");
});
