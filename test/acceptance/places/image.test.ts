/** Sessions in containers of an image, and in a container of another machine. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { PlaceSetting } from "../../../src/config/settings/read-places.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { runCommand } from "../../../src/library/run-command.ts";
import { getFile, putFile } from "../../../src/places/files/copy-file.ts";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { uniqueSleep, useEngine } from "../../support/containers/engine.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { needs } from "../../support/needs.ts";
import { childrenOf } from "../../support/places/children-of.ts";
import { clientMaker } from "../../support/places/place.ts";
import { errorOf, isLong } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

// Engines start processes in several steps, each of which waits for a processor on a busy machine.
vi.setConfig({ testTimeout: 240_000 });
const PATIENCE = { timeout: 90_000 };
const CALLER = "test";
const engine = useEngine("docker", { isTcp: true });

/** The containers that limpet has made, by name. */
const containers = () =>
  engine.tool("ps", "-a", "--filter", "label=limpet", "--format", "{{.Names}}").split(/\s+/).filter(Boolean);
const imagePlace = (options: Partial<Extract<PlaceSetting, { readonly image: string }>> = {}) => {
  const workspace = join(temporaryDirectory(), "project");
  mkdirSync(workspace);
  return { workspace, clients: clientMaker({ image: "box", engine: "docker", workspace, ...options }) };
};
const outputOf = async (client: HostClient, command: string, options: object = {}) =>
  (await runCommand(client, { command, options, caller: CALLER })).output;

describe("an image place", () => {
  test("has the workspace under the same path, and each session a container that is removed with it", async () => {
    const { workspace, clients } = imagePlace();
    const client = clients();
    writeFileSync(join(workspace, "in"), "from here\n");

    const first = await outputOf(client, "pwd; cat in; echo from there >out; touch /kept; cat /proc/1/comm");
    const second = await outputOf(client, "ls /kept 2>/dev/null || echo fresh");

    expect(first).toBe(`${workspace}\nfrom here\nsh\n`);
    expect(second).toBe("fresh\n");
    expect(readFileSync(join(workspace, "out"), "utf8")).toBe("from there\n");
    await expect.poll(containers, PATIENCE).toEqual([]);
  });

  test("reuse keeps one container for all sessions, until its host ends", async () => {
    const client = imagePlace({ reuse: true }).clients();

    await outputOf(client, "touch /kept");
    const second = await outputOf(client, "ls /kept");
    const during = containers();
    await client.stopHost();

    expect(second).toBe("/kept\n");
    expect(during).toHaveLength(1);
    await expect.poll(containers, PATIENCE).toEqual([]);
  });

  test("removes a container when nothing of its session runs any more, although the session is still listed", async () => {
    const client = imagePlace().clients();
    const { command, pids } = uniqueSleep();
    const { id } = await startSession(client, { command: `trap '' HUP; setsid ${command} & echo started` });
    await waitForSession(client, { keys: [id], caller: CALLER, onInput: false });
    await expect.poll(() => pids().length, PATIENCE).toBe(1);
    const during = containers();
    for (const pid of pids()) endProcess(pid);

    await expect.poll(containers, PATIENCE).toEqual([]);
    const listed = await client.list({ ended: true });

    expect(during).toHaveLength(1);
    expect(listed).toMatchObject([{ id, exit: { code: 0 } }]);
    expect((await client.close(id, { force: true })).report).toMatchObject({ by: "container", left: [] });
  });

  test("removes its container when the host is killed, and the next host the rest", async () => {
    const { clients } = imagePlace();
    const client = clients();
    const { command, pids } = uniqueSleep();
    await startSession(client, { command: `trap '' HUP; ${command}; true` });
    await expect.poll(() => pids().length, PATIENCE).toBe(1);

    process.kill((await client.hostStatus())?.pid ?? 0, "SIGKILL");

    await expect.poll(() => pids(), PATIENCE).toEqual([]);
    await expect.poll(containers, PATIENCE).toEqual([]);
  });

  test("the next host removes the containers of one that was killed together with their guards", async () => {
    const { clients } = imagePlace();
    const client = clients();
    const { command, pids } = uniqueSleep();
    await startSession(client, { command: `${command}; true` });
    await expect.poll(() => pids().length, PATIENCE).toBe(1);
    const [left = ""] = containers();
    const others = engine.tool("run", "-d", "--label", "limpet=other", "box", "/bin/sleep", "100000").trim();
    const host = (await client.hostStatus())?.pid ?? 0;

    // Stopped first, so that it does not notice how its guards end.
    process.kill(host, "SIGSTOP");
    for (const pid of [...childrenOf(host), host]) endProcess(pid);
    await expect.poll(() => existsSync(`/proc/${host}`), PATIENCE).toBe(false);
    const between = containers();
    const output = await outputOf(clients(), "echo again");
    await expect.poll(() => containers().length, PATIENCE).toBe(1);
    const after = containers();
    engine.tool("rm", "-f", others);

    expect(between).toContain(left);
    expect(output).toBe("again\n");
    expect(after).not.toContain(left);
  });

  test("keeps no files of its own, and says where they belong", async () => {
    const { workspace, clients } = imagePlace();
    writeFileSync(join(workspace, "file"), "x");
    const { files } = clients();

    const errors = await Promise.all([
      errorOf(putFile(files, { from: join(workspace, "file"), to: "/tmp/file" })),
      errorOf(getFile(files, { from: "/etc/passwd", to: workspace })),
    ]);

    expect(errors.map(({ code }) => code)).toEqual(["FILE_FAILED", "FILE_FAILED"]);
    expect(errors[0]?.message).toContain(`Use its workspace on this machine: ${workspace}.`);
  });

  test("has no network in a sandbox unless it is asked for, and keeps limits", async () => {
    const client = imagePlace().clients();
    const { id } = await startSession(client, {
      command: "read x",
      sandbox: { files: "read-only" },
      limits: { memory: "64M", processes: 20, openFiles: 100 },
    });
    const format = "{{.HostConfig.NetworkMode}} {{.HostConfig.Memory}} {{.HostConfig.PidsLimit}}";

    const made = engine.tool("inspect", "--format", format, ...containers()).trim();
    const mounts = engine.tool("inspect", "--format", "{{range .Mounts}}{{.RW}}{{end}}", ...containers()).trim();
    await client.close(id, { force: true });

    expect([made, mounts]).toEqual([`none ${64 * 1024 * 1024} 22`, "false"]);
    await expect.poll(containers, PATIENCE).toEqual([]);
  });

  test("its processes have the limits of the session: open files, processor time, and the size of files", async () => {
    const { workspace, clients } = imagePlace();
    const client = clients();
    const limits = { openFiles: 100, cpuTime: "7s", fileSize: "1M" };

    const { id } = await startSession(client, { command: "(ulimit -n; ulimit -t; ulimit -f) >told", limits });
    await waitForSession(client, { keys: [id], deadlineMs: 90_000 });

    // In blocks of 512 bytes.
    expect(readFileSync(join(workspace, "told"), "utf8")).toBe("100\n7\n2048\n");
  });
});

describe("a container of another machine", () => {
  test("tells nothing of what its programs wait for, and close ends them from inside", async () => {
    const name = engine.start();
    engine.asRemote();
    const client = clientMaker({ docker: name })();
    const [orphan, child] = [uniqueSleep(), uniqueSleep()];
    const { id } = await startSession(client, { command: `setsid ${orphan.command} & ${child.command}` });
    await expect.poll(() => [orphan.pids().length, child.pids().length], PATIENCE).toEqual([1, 1]);

    const [session] = await client.list({ ended: false });
    const { report } = await client.close(id, { force: true });

    expect(session).toMatchObject({ waitingFor: "unknown" });
    expect(report).toMatchObject({ by: "inside", left: [] });
    expect([orphan.pids(), child.pids()]).toEqual([[], []]);
  });

  test("has nothing left inside when the host on this machine is killed", async () => {
    const name = engine.start();
    engine.asRemote();
    const client = clientMaker({ docker: name })();
    const { command, pids } = uniqueSleep();
    const { id } = await startSession(client, { command: `echo started; trap '' HUP; ${command}; true` });
    await waitForSession(client, { keys: [id], until: "started", deadlineMs: 90_000 });
    await expect.poll(() => pids().length, PATIENCE).toBe(1);

    process.kill((await client.hostStatus())?.pid ?? 0, "SIGKILL");

    await expect.poll(() => pids(), PATIENCE).toEqual([]);
  });
});

// Its sandbox does not always start on a busy machine.
test.runIf(isLong && needs("runsc"))(
  "a container of gVisor tells nothing of what its programs wait for either, and close ends them from inside",
  async () => {
    const name = engine.start("--runtime", "runsc");
    const client = clientMaker({ docker: name })();
    const { id } = await startSession(client, { command: "echo started; setsid sleep 4441 & sleep 4442" });
    await waitForSession(client, { keys: [id], until: "started", onInput: false, deadlineMs: 90_000 });

    const [session] = await client.list({ ended: false });
    const { report } = await client.close(id, { force: true });
    const left = engine.tool("exec", name, "/bin/ps");

    expect(session).toMatchObject({ waitingFor: "unknown" });
    expect(report).toMatchObject({ by: "inside", left: [] });
    expect(left).not.toMatch(/444[12]/);
  },
);
