import { expect, test } from "vitest";
import { endsWith, findContainerProgram } from "./find-container-program.ts";

test.each([
  [["docker", "exec", "-it", "zoo", "sh"], ["sh"], true],
  [["docker", "exec", "-it", "zoo", "sh", "-c", "sleep 4"], ["sh", "-c", "sleep 4"], true],
  [["docker", "exec", "-it", "zoo", "bash"], ["sh"], false],
  [["docker", "exec", "-it", "zoo", "sh"], ["sh", "-l"], false],
  [["sh"], ["sh"], false],
  [["docker", "run", "-it", "zoo"], [], false],
])("%o starts %o: %s", (args, last, isSo) => {
  expect(endsWith(args, last)).toBe(isSo);
});

test("a process that has ended has no program behind it", async () => {
  expect(await findContainerProgram(2 ** 30)).toBeUndefined();
});
