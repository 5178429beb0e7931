import { randomBytes } from "node:crypto";
import { closeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openPipes } from "../../pty/open-pipes.ts";
import { spawnProgram } from "../../pty/spawn-program.ts";
import { listenForExits, watchExit } from "../../pty/watch-exit.ts";
import { killProcessTree } from "./kill-process-tree.ts";
import { membersOf, ProcessTree } from "./process-tree.ts";
import { listProcesses, MARK_VARIABLE, type MarkedProcess } from "./processes.ts";

function entry(pid: number, parent: number, rest: Partial<MarkedProcess> = {}): MarkedProcess {
  return {
    pid,
    parent,
    group: pid,
    session: pid,
    terminal: 0,
    foregroundGroup: -1,
    name: "x",
    state: "S",
    threads: 1,
    childFaults: 0,
    startTime: "1",
    mark: undefined,
    ...rest,
  };
}

const pidsOf = (entries: readonly { readonly pid: number }[]) => entries.map(({ pid }) => pid);

test("members are found by session, by mark and by descent, in any order of the list", () => {
  const all = [
    entry(9, 8),
    entry(8, 3),
    entry(1, 0),
    entry(2, 1, { session: 2 }),
    entry(3, 2, { session: 2 }),
    entry(4, 1, { mark: "m" }),
    entry(5, 4),
    entry(6, 1, { mark: "other" }),
    entry(7, 1),
  ];

  expect(pidsOf(membersOf(all, { session: 2, mark: "m" }))).toEqual([9, 8, 2, 3, 4, 5]);
  expect(pidsOf(membersOf(all, { session: 2, mark: undefined }))).toEqual([9, 8, 2, 3]);
  expect(pidsOf(membersOf(all, { session: 99, mark: "none" }))).toEqual([]);
});

test("processes that are each other's parents do not hang the search", () => {
  expect(pidsOf(membersOf([entry(2, 3), entry(3, 2), entry(4, 4)], { session: 2, mark: undefined }))).toEqual([2, 3]);
});

test("without a control group, setsid, nohup and double forks are found by their mark and ended", async () => {
  const mark = randomBytes(8).toString("hex");
  const command =
    "setsid sleep 1000 & (nohup sleep 1000 >/dev/null 2>&1 &); (setsid sh -c '(trap \"\" HUP TERM; exec sleep 1000) &' &); (trap '' HUP TERM; exec sleep 1000) & wait";
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", [MARK_VARIABLE]: mark };
  const pipes = openPipes();
  listenForExits();
  const pid = spawnProgram(
    { program: "/bin/bash", args: ["-c", command], cwd: "/", env },
    { kind: "pipes", ...pipes.theirs },
  );
  const exited = new Promise((resolve) => watchExit(pid, resolve));
  for (const fd of [...Object.values(pipes.theirs), ...Object.values(pipes.ours)]) closeSync(fd);
  const tree = new ProcessTree({ pid, mark });
  const sleepers = async () => (await tree.list()).filter(({ name }) => name === "sleep");
  while ((await sleepers()).length < 4) await sleep(5);
  const before = pidsOf(await sleepers());

  const report = await killProcessTree(tree, () => performance.now() - 60_000);
  await exited;
  tree.programReaped();

  expect(report).toMatchObject({ by: "search", left: [] });
  expect(pidsOf(report.ended)).toEqual(expect.arrayContaining(before));
  expect((await listProcesses()).filter((found) => found.mark === mark)).toEqual([]);
  expect(await tree.list()).toEqual([]);
});
