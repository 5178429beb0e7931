import { expect, test } from "vitest";
import { lowered, throughPrlimit, throughShell } from "./limited-command.ts";

const GIVEN = { program: "make", args: ["-j", "2 3"] };
const BOUNDS = {
  cpu: { soft: 10, hard: 15 },
  data: { soft: 2048, hard: 2048 },
  fsize: { soft: 1000, hard: 1000 },
  nofile: { soft: 64, hard: 64 },
  nproc: { soft: 9, hard: 9 },
};

test("prlimit gets the limits and passes the program on", () => {
  expect(throughPrlimit(GIVEN, BOUNDS)).toEqual({
    program: "/usr/bin/prlimit",
    args: [
      "--cpu=10:15",
      "--data=2048:2048",
      "--fsize=1000:1000",
      "--nofile=64:64",
      "--nproc=9:9",
      "--",
      "make",
      "-j",
      "2 3",
    ],
  });
});

test("a shell sets each limit, and runs nothing if one cannot be set", () => {
  expect(throughShell(GIVEN, BOUNDS)).toEqual({
    program: "/bin/sh",
    args: [
      "-c",
      'ulimit -Ht 15 && ulimit -St 10 && ulimit -d 2 && ulimit -f 2 && ulimit -n 64 && { ulimit -u 9 2>/dev/null || ulimit -p 9; } && exec "$@"',
      "sh",
      "make",
      "-j",
      "2 3",
    ],
  });
});

test("no limit is raised", () => {
  const own = [
    "Limit                     Soft Limit           Hard Limit           Units     ",
    "Max cpu time              unlimited            unlimited            seconds   ",
    "Max open files            32                   48                   files     ",
  ].join("\n");

  expect(lowered({ cpu: { soft: 1, hard: 6 }, nofile: { soft: 64, hard: 64 } }, own)).toEqual({
    cpu: { soft: 1, hard: 6 },
    nofile: { soft: 32, hard: 48 },
  });
});
