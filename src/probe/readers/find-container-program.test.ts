import { describe, expect, test } from "vitest";
import type { ProcessEntry } from "../../linux/processes/processes.ts";
import { chooseProgram, endsWith, findContainerProgram } from "./find-container-program.ts";

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

describe("of several programs that fit", () => {
  const PARENTS = new Map([
    [1, "systemd"],
    [10, "containerd-shim"],
    [20, "conmon"],
  ]);
  const choose = (client: string, ...parents: readonly number[]) =>
    chooseProgram(
      client,
      parents.map((parent, index) => ({ pid: 100 + index, parent }) as ProcessEntry),
      (pid) => PARENTS.get(pid),
    )?.pid;

  test("the only one is taken, whatever keeps it", () => {
    expect(choose("docker", 1)).toBe(100);
  });

  test("the one that the client's engine keeps is taken", () => {
    expect(choose("docker", 10, 20)).toBe(100);
    expect(choose("podman", 10, 20)).toBe(101);
  });

  test("none is taken if the engine keeps both or neither", () => {
    expect(choose("podman", 20, 20)).toBeUndefined();
    expect(choose("docker", 1, 20)).toBeUndefined();
    expect(choose("kubectl", 1, 20)).toBeUndefined();
  });
});
