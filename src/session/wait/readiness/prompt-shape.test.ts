import { expect, test } from "vitest";
import { isSamePrompt, looksLikePrompt, promptShape } from "./prompt-shape.ts";

test.each([
  "> ",
  ">>> ",
  "... ",
  "* ",
  "$ ",
  "root@vm:/tmp# ",
  "vm% ",
  "iex(12)> ",
  "In [3]: ",
  "(gdb) ",
  "Password:",
  "Do you want to continue? [Y/n] ",
  "sure? (y/n) ",
  "package name: (home-4Xf9) ",
  "? Your name",
  "❯ ",
  "➜ ",
])("%j looks like a prompt", (line) => {
  expect(looksLikePrompt(line)).toBe(true);
});

test.each([
  "",
  "   ",
  "hello",
  "Downloading 40%",
  "Fetching (3/7)",
  "took 12 ms",
  "working...",
  `${"a".repeat(200)}> `,
])("%j does not look like a prompt", (line) => {
  expect(looksLikePrompt(line)).toBe(false);
});

test.each([
  ["iex(1)> ", "iex(27)> ", true],
  ["root@vm:/tmp# ", "root@vm:/usr/share# ", true],
  ["> ", "> ", true],
  ["> ", ">>> ", false],
  ["root@vm:~# ", "root@vm:~$ ", false],
  ["abc> ", "xyz> ", false],
])("%j and %j are the same prompt: %s", (one, other, isSame) => {
  expect(isSamePrompt(promptShape(one), promptShape(other))).toBe(isSame);
});
