/** What ends in containers of a real Docker engine: with a session, and with the host on this machine. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { ownGroupPath } from "../../../src/linux/cgroup.ts";
import { endStaleGroups } from "../../../src/pty/group-root.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { uniqueSleep, useEngine } from "../../support/containers/engine.ts";
import { childrenOf } from "../../support/places/children-of.ts";
import { clientMaker } from "../../support/places/place.ts";

// Engines start processes in several steps, each of which waits for a processor on a busy machine.
vi.setConfig({ testTimeout: 240_000 });
const PATIENCE = { timeout: 90_000 };
const engine = useEngine("docker");

const inside = (): HostClient => clientMaker({ docker: engine.start() })();
const start = (client: HostClient, command: string) => startSession(client, { command });

describe("a container without Node", () => {
  test("close ends the program and its orphans, and says how", async () => {
    const client = inside();
    const [orphan, child] = [uniqueSleep(), uniqueSleep()];
    const { id } = await start(client, `trap '' HUP; setsid ${orphan.command} & ${child.command}`);
    await expect.poll(() => [orphan.pids().length, child.pids().length], PATIENCE).toEqual([1, 1]);

    const { report } = await client.close(id, { force: false });

    expect([orphan.pids(), child.pids()]).toEqual([[], []]);
    expect(report).toMatchObject({ by: "search", left: [] });
    expect(report.ended.map(({ name }) => name)).toContain("sleep");
  });

  test("a session outlives its client, and its orphans are found after its end", async () => {
    const clients = clientMaker({ docker: engine.start() });
    const first = clients();
    const { command, pids } = uniqueSleep();
    const { id } = await start(first, command);
    await expect.poll(() => pids().length, PATIENCE).toBe(1);

    first.disconnect();
    const listed = await clients().list({ ended: false });
    await clients().close(id, { force: true });

    expect(listed.map((session) => session.id)).toEqual([id]);
    expect(pids()).toEqual([]);
  });

  test("nothing is left inside when the host on this machine is killed, even if another limpet ends its groups", async () => {
    const client = inside();
    const [typed, piped] = [uniqueSleep(), uniqueSleep()];
    await start(client, `trap '' HUP; ${typed.command}; true`);
    await startSession(client, { command: `${piped.command}; true`, tty: false });
    await expect.poll(() => [typed.pids().length, piped.pids().length], PATIENCE).toEqual([1, 1]);

    process.kill((await client.hostStatus())?.pid ?? 0, "SIGKILL");

    // The first signal ends one of them. The other one needs the second signal.
    await expect.poll(() => piped.pids(), PATIENCE).toEqual([]);
    endStaleGroups(ownGroupPath() ?? "");
    await expect.poll(() => typed.pids(), PATIENCE).toEqual([]);
  });

  test("the host that is killed ends what runs inside, even if the client of the engine was killed before", async () => {
    const client = inside();
    const { command, pids } = uniqueSleep();
    await start(client, `trap '' HUP; ${command}; true`);
    await expect.poll(() => pids().length, PATIENCE).toBe(1);
    const host = (await client.hostStatus())?.pid ?? 0;
    const [tool = 0] = childrenOf(host).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("exec\0-it"),
    );

    process.kill(-tool, "SIGKILL");
    await expect.poll(() => existsSync(`/proc/${tool}`), PATIENCE).toBe(false);
    const left = pids().length;
    process.kill(host, "SIGKILL");

    expect(left).toBe(1);
    await expect.poll(() => pids(), PATIENCE).toEqual([]);
  });
});
