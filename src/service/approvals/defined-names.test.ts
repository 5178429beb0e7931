import { expect, test } from "vitest";
import { MAX_DEFINED_NAMES, MAX_DEFINING_CHARS } from "../../base/limits.ts";
import type { Session } from "../../session/session.ts";
import { DefinedNames, type GivenText } from "./defined-names.ts";

const SESSION = { program: "/bin/bash" } as Session;

async function after(...given: readonly GivenText[]) {
  const names = new DefinedNames();
  for (const each of given) names.note(SESSION, each);
  return await names.of(SESSION);
}

const command = (text: string): GivenText => ({ kind: "command", text });

test("a session that was given nothing has no answer, and one with harmless commands no names", async () => {
  expect(await after()).toBeUndefined();
  expect(await after(command("git status"), command("make -j4"))).toEqual([]);
});

test("the names of all commands add up, also after they were asked for", async () => {
  const names = new DefinedNames();
  names.note(SESSION, command("ls() { rm x; }"));
  expect(await names.of(SESSION)).toEqual(["ls"]);

  names.note(SESSION, command("alias ll=ls"));

  expect(await names.of(SESSION)).toEqual(expect.arrayContaining(["ls", "ll"]));
});

test.each<[string, readonly GivenText[]]>([
  ["a function in two parts", [command("f() {"), command("rm x; }")]],
  ["a word in two parts", [{ kind: "part", text: "ali" }, command("as ls=rm")]],
  ["a start with a file of definitions", [{ kind: "start", text: "bash --rcfile ./x" }]],
  ["keys that edit a line", [{ kind: "part", text: "⟨Up⟩⟨Enter⟩" }]],
])("%s may define any name, for the rest of the session", async (_, given) => {
  expect(await after(...given, command("ls"))).toBe("any");
});

test("what another program is given defines what looks like a definition, and nothing else", async () => {
  expect(await after({ kind: "input", text: "def f():\n  pass\n" })).toEqual(["f"]);
  expect(await after({ kind: "input", text: "import os; eval('1')\n" })).toEqual([]);
  expect(await after({ kind: "input", text: "git() { rm x; }\n" })).toEqual(["git"]);
});

test("more names than are remembered are any name", async () => {
  const many = Array.from({ length: MAX_DEFINED_NAMES }, (_, index) => command(`f${index}() { :; }`));

  expect(await after(...many)).toHaveLength(MAX_DEFINED_NAMES);
  expect(await after(...many, command("g() { :; }"))).toBe("any");
});

test("more text than is kept may define any name", async () => {
  const half = command(`echo '${"x".repeat(MAX_DEFINING_CHARS / 2)}'`);

  expect(await after(half, half)).toBe("any");
});
