/** A host that the end of no client takes along, and one that does not answer. */
import { expect, test } from "vitest";
import { familyOf } from "../../../src/linux/processes/family-of.ts";
import { listProcesses } from "../../../src/linux/processes/processes.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { openCli } from "../../support/cli.ts";
import { hostAt, hostDirectory, pidOf } from "../../support/host/host.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";

const plain = { login: false, shell: "/bin/sh" };

test("a host is not a descendant of the client that started it", async () => {
  const host = hostAt(hostDirectory());
  await startSession(host, { command: "sleep 1000", ...plain });
  const pid = await pidOf(host);

  const descendants = familyOf([process.pid], await listProcesses());

  expect(descendants.has(pid)).toBe(false);
});

test("a stopped host is reported as such, and stop --force ends it with its sessions", async () => {
  await using cli = openCli();
  const seconds = uniqueSeconds();
  await cli.limpet(["start", `setsid sleep ${seconds} & exec sleep ${seconds}`]);
  await expect.poll(() => pidsWith(`sleep\0${seconds}`).length).toBe(2);
  const pid = await cli.hostPid();
  process.kill(pid, "SIGSTOP");

  const asked = await Promise.all([cli.limpet(["host", "status"]), cli.limpet(["host", "stop"]), cli.limpet(["ls"])]);
  const forced = await cli.limpet(["host", "stop", "--force"]);

  for (const { code, stderr } of asked) {
    expect(code).not.toBe(0);
    expect(stderr).toContain("HOST_NOT_RESPONDING");
    expect(stderr).toContain("limpet host stop --force");
  }
  expect(forced).toMatchObject({ code: 0, stdout: "Stopped the host and all its sessions.\n" });
  expect(pidsWith(seconds)).toEqual([]);
  expect(await cli.limpet(["host", "stop", "--force"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No host"),
  });
});
