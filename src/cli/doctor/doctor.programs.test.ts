/** @own-process It counts the descriptors of its process. */
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holdings } from "../../../test/support/case-guard.ts";
import { groupsBelow, ownGroupPath } from "../../linux/cgroup.ts";
import { openPty } from "../../pty/open-pty.ts";
import { checkProc } from "./check-proc.ts";
import { checkTerminal } from "./check-terminals.ts";
import { doctor } from "./doctor.ts";

let place: string;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "limpet-doctor-"));
});

afterEach(async () => {
  await chmod(place, 0o700);
  await rm(place, { recursive: true });
});

function request() {
  return {
    stateDirectory: join(place, "state"),
    path: "/usr/bin:/bin",
    clients: { home: place, project: () => place },
  };
}

test("on this machine every check has a finding, and nothing is left behind", async () => {
  await doctor(request());
  const before = holdings();

  const { findings, lines, isUsable } = await doctor(request());

  expect(findings.map(({ check }) => check)).toEqual([
    "node",
    "binding",
    "terminals",
    "kernel.pty.max",
    "cgroup",
    "/proc",
    "sandbox",
    "bwrap",
    "shells",
    "ulimit -n",
    "state directory",
    "audit",
    "config.json",
    "policy.json",
    "web",
  ]);
  expect(findings.filter(({ what, meaning }) => what === "" || !meaning.endsWith("."))).toEqual([]);
  expect(isUsable).toBe(true);
  expect(lines).toHaveLength(findings.length * 2 + 1);
  expect(holdings()).toEqual(before);
  expect(await readdir(join(place, "state"))).toEqual([]);
  expect(groupsBelow(ownGroupPath() ?? "").filter((path) => path.includes(`limpet-doctor-${process.pid}`))).toEqual([]);
});

test("a terminal that was opened is closed again", async () => {
  const before = holdings();

  expect((await checkTerminal(() => openPty({ cols: 80, rows: 24 }))).verdict).toBe("ok");

  expect(holdings()).toEqual(before);
});

test("a /proc that hides what programs wait in is told, with what is lost", async () => {
  expect((await checkProc("/proc")).verdict).toBe("ok");
  expect(await checkProc(place)).toMatchObject({
    verdict: "warn",
    meaning: expect.stringContaining("limpet cannot tell whether a program waits for input"),
  });
});
