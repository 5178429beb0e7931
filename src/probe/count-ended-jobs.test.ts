import { expect, test } from "vitest";
import { isInteractiveShell } from "./count-ended-jobs.ts";

test.each([
  ["bash"],
  ["-bash"],
  ["/bin/zsh", "-f", "-o", "nozle"],
  ["bash", "--norc", "--noprofile", "-i", "+o", "history"],
  ["bash", "--rcfile", "/etc/rc"],
  ["busybox", "ash", "-i"],
  ["fish", "-l"],
])("%s %s reads its commands from the terminal", (...words) => {
  expect(isInteractiveShell(words)).toBe(true);
});

test.each([
  [],
  ["vim"],
  ["bash", "script.sh"],
  ["bash", "-c", "vim"],
  ["bash", "-lc", "vim"],
  ["sh", "-ec", "vim"],
  ["busybox", "vi"],
])("%s %s does not", (...words) => {
  expect(isInteractiveShell(words as string[])).toBe(false);
});
