/**
 * Where libc cannot start a program in another control group, a host waits in the group of the next program. Nothing
 * that happens to a session may happen to the host, even right after the start, when it is in the session's group.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { canSpawnInside } from "../../../src/pty/spawn-program.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { hostAt, hostDirectory, pidOf } from "../../support/host/host.ts";
import { skipWithout } from "../../support/needs.ts";

const SESSIONS = 40;
const plain = { login: false, shell: "/bin/sh" };

skipWithout("cgroups");

function groupOf(pid: number | string): string {
  return /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "";
}

test("a session that is killed right after its start does not take the host with it", async () => {
  const host = hostAt(hostDirectory());
  const first = await startSession(host, { command: "sleep 1000", ...plain });
  const pid = await pidOf(host);

  for (let i = 0; i < SESSIONS; i += 1) {
    const { id } = await startSession(host, { command: "setsid sleep 1000 & exec sleep 1000", ...plain });
    const { report } = await host.close(id, { force: true });

    expect(report).toMatchObject({ by: "cgroup", left: [] });
    expect(report.ended.map((process) => process.pid)).not.toContain(pid);
  }

  expect(await pidOf(host)).toBe(pid);
  expect(await host.find(first.id)).toMatchObject({ exit: null });
});

test("programs that start at the same time are each in a group of their own", async () => {
  const host = hostAt(hostDirectory());

  const started = await Promise.all(
    Array.from({ length: SESSIONS }, () => startSession(host, { command: "sleep 1000", ...plain })),
  );

  const pid = await pidOf(host);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  expect(children).toHaveLength(SESSIONS);
  const groups = children.map(groupOf);
  expect(new Set(groups).size).toBe(SESSIONS);
  await expect.poll(() => groups.filter((group) => group === groupOf(pid))).toEqual([]);
  expect(started.map(({ id }) => id)).toHaveLength(SESSIONS);
});

test.skipIf(canSpawnInside)("a host that has ended leaves no group", async () => {
  const host = hostAt(hostDirectory());
  await startSession(host, { command: "sleep 1000", ...plain });
  const pid = await pidOf(host);
  await expect.poll(() => groupOf(pid)).toMatch(/\/limpet1-[^/]*\/s\d+$/);
  const group = groupOf(pid);

  await host.stopHost();

  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  const mount = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(readFileSync("/proc/self/mountinfo", "utf8"))?.[1];
  expect(existsSync(`${mount}${group}`)).toBe(false);
  expect(existsSync(`${mount}${group.replace(/\/s\d+$/, "")}`)).toBe(false);
});
