import { expect, test } from "vitest";
import type { ArgsDef } from "./command.ts";
import { plainWords, sortWords, surplusWord } from "./words.ts";

const ARGS: ArgsDef = {
  id: { type: "positional" },
  follow: { type: "boolean", alias: "f" },
  tty: { type: "boolean" },
  grep: { type: "string" },
  output: { type: "string", alias: "o" },
};

test.each([
  { words: ["7", "-f", "--grep", "-x"], flags: [{ name: "follow" }, { name: "grep", value: "-x" }], others: ["7"] },
  { words: ["--grep=a=b", "7", "8"], flags: [{ name: "grep", value: "a=b" }], others: ["7", "8"] },
  { words: ["-o", "x", "--no-tty"], flags: [{ name: "output", value: "x" }, { name: "no-tty" }], others: [] },
  { words: ["7", "--", "-f", "--nonsense"], flags: [], others: ["7", "-f", "--nonsense"] },
  { words: ["7", "-", ""], flags: [], others: ["7", "-", ""] },
])("$words are sorted", ({ words, flags, others }) => {
  expect(sortWords(words, ARGS)).toEqual({ flags, others });
});

test("the words of a program are its own", () => {
  expect(sortWords(["-f", "ls", "-la", "--", "x"], ARGS, { takesProgram: true })).toEqual({
    flags: [{ name: "follow" }],
    others: ["ls", "-la", "--", "x"],
  });
});

test.each([
  { words: ["--folow"], problem: "has no flag --folow" },
  { words: ["-follow"], problem: "has no flag -follow" },
  { words: ["--f"], problem: "has no flag --f" },
  { words: ["--follow=yes"], problem: "takes no value for --follow" },
  { words: ["7", "--grep"], problem: "needs a value after --grep" },
  { words: ["--id", "7"], problem: "has no flag --id" },
])("$words are refused", ({ words, problem }) => {
  expect(sortWords(words, ARGS)).toEqual({ problem });
});

test("sorted words are written in one form", () => {
  expect(plainWords({ flags: [{ name: "follow" }, { name: "grep", value: "-x" }], others: ["-1"] })).toEqual([
    "--follow",
    "--grep=-x",
    "--",
    "-1",
  ]);
});

test("a word that a command has no place for is found", () => {
  expect(surplusWord({ flags: [], others: ["7"] }, ARGS)).toBeUndefined();
  expect(surplusWord({ flags: [], others: ["7", "8", "9"] }, ARGS)).toBe("8");
});
