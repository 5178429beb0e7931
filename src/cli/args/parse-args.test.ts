import { expect, test } from "vitest";
import type { ArgSpecs } from "./command.ts";
import { parseArgs } from "./parse-args.ts";
import { durationOf } from "./read-args.ts";

const description = "";
const LOGS: ArgSpecs = {
  id: { type: "positional", description },
  text: { type: "positional", isOptional: true, description },
  follow: { type: "boolean", short: "f", description },
  grep: { type: "string", hint: "REGEX", description },
  output: { type: "string", short: "o", hint: "FILE", description },
  key: { type: "string", short: "k", hint: "KEY", isList: true, description },
  secret: { type: "boolean", isHidden: true, description },
};
const RULES = {
  action: { type: "positional", choices: ["check", "show"], description },
  words: { type: "positional", isOptional: true, isList: true, description },
} satisfies ArgSpecs;

const KILL: ArgSpecs = {
  ids: { type: "positional", hint: "ID…", isList: true, description },
  force: { type: "boolean", short: "f", description },
};
const RUN: ArgSpecs = {
  command: { type: "program", hint: "CMD…", description },
  follow: { type: "boolean", short: "f", description },
  cwd: { type: "string", short: "C", hint: "DIR", description },
};

test.each([
  { words: ["7", "-f", "--grep", "-x"], args: { id: "7", follow: true, grep: "-x" } },
  { words: ["--grep=a=b", "7", "8"], args: { id: "7", text: "8", grep: "a=b" } },
  { words: ["-o", "x", "7"], args: { id: "7", output: "x" } },
  { words: ["-o=x", "7"], args: { id: "7", output: "x" } },
  { words: ["-ox", "7"], args: { id: "7", output: "x" } },
  { words: ["-fo", "x", "7"], args: { id: "7", follow: true, output: "x" } },
  { words: ["7", "--", "-f"], args: { id: "7", text: "-f" } },
  { words: ["7", "-"], args: { id: "7", text: "-" } },
  { words: ["7", ""], args: { id: "7", text: "" } },
  { words: ["7", "-k", "Up", "--key=-"], args: { id: "7", key: ["Up", "-"] } },
  { words: ["7", "--grep", "a", "--grep", "b"], args: { id: "7", grep: "b" } },
  { words: ["7", "--grep", "--help"], args: { id: "7", grep: "--help" } },
  { words: ["7", "--grep="], args: { id: "7", grep: "" } },
])("$words are read", ({ words, args }) => {
  expect(parseArgs(words, LOGS)).toEqual({ kind: "args", args });
});

test("an argument that takes a list takes all words", () => {
  expect(parseArgs(["7", "-f", "8", "9"], KILL)).toEqual({
    kind: "args",
    args: { ids: ["7", "8", "9"], force: true },
  });
});

test.each([
  { words: ["-f", "ls", "-la", "--", "x"], args: { follow: true, command: ["ls", "-la", "--", "x"] } },
  { words: ["-C", "/tmp", "--", "-x", "--help"], args: { cwd: "/tmp", command: ["-x", "--help"] } },
  { words: ["echo", "--help", "--nonsense"], args: { command: ["echo", "--help", "--nonsense"] } },
])("the words of a program are its own: $words", ({ words, args }) => {
  expect(parseArgs(words, RUN)).toEqual({ kind: "args", args });
});

test.each([
  { words: ["--help"], specs: LOGS },
  { words: ["7", "--nonsense", "-h"], specs: LOGS },
  { words: ["-f", "-h", "echo"], specs: RUN },
])("$words ask for help", ({ words, specs }) => {
  expect(parseArgs(words, specs)).toEqual({ kind: "help" });
});

test.each([
  { words: ["7", "--folow"], problem: "has no flag --folow. Did you mean --follow?" },
  { words: ["7", "-xyz"], problem: "has no flag -xyz." },
  { words: ["7", "--f"], problem: "has no flag --f." },
  { words: ["7", "--no-follow"], problem: "has no flag --no-follow. Did you mean --follow?" },
  { words: ["7", "--secre"], problem: "has no flag --secre." },
  { words: ["7", "--constructor"], problem: "has no flag --constructor." },
  { words: ["7", "--follow=yes"], problem: "takes no value for --follow." },
  { words: ["7", "--grep"], problem: "needs a value after --grep." },
  { words: ["--id", "7"], problem: "has no flag --id." },
  { words: ["--folow=a b", "7"], problem: "has no flag --folow. Did you mean --follow?" },
  { words: ["7", "8", "9"], problem: 'takes no argument "9". Put text with spaces into quotes.' },
  { words: ["-f"], problem: "needs <ID>." },
])("$words are refused", ({ words, problem }) => {
  expect(parseArgs(words, LOGS)).toEqual({ kind: "problem", problem });
});

test("a command with options that is not in quotes is refused with the remedy", () => {
  expect(parseArgs(["check", "rm", "-rf", "x"], RULES)).toEqual({
    kind: "problem",
    problem: "has no flag -rf. Put a command with its options into quotes.",
  });
});

test.each([
  { what: "a list", specs: KILL, problem: "needs <ID…>." },
  { what: "a program", specs: RUN, problem: "needs <CMD…>." },
  { what: "a choice", specs: RULES, problem: "needs <ACTION>: check, show." },
  {
    what: "a required flag",
    specs: { out: { type: "string", hint: "FILE", isRequired: true, description } } satisfies ArgSpecs,
    problem: "needs --out.",
  },
])("the absence of $what is refused", ({ specs, problem }) => {
  expect(parseArgs([], specs)).toEqual({ kind: "problem", problem });
});

test.each([
  ["5", 5_000],
  ["0.5", 500],
  ["500ms", 500],
  ["2m", 120_000],
  ["1h", 3_600_000],
  [" 3 s ", 3_000],
])("the time %j is %i milliseconds", (text, ms) => {
  expect(durationOf({ timeout: text }, "timeout")).toBe(ms);
});

test.each(["", "s", "-1", "1d", "5 5", "1e3", "999h", "Infinity"])("%j is not a time", (text) => {
  expect(() => durationOf({ timeout: text }, "timeout")).toThrow("Give a time such as 500ms, 5s, 2m or 1h");
});
