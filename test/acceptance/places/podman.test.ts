/** Containers of a real podman as places. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { runCommand } from "../../../src/library/run-command.ts";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { libraries, uniqueSleep, useEngine } from "../../support/containers/engine.ts";
import { clientMaker } from "../../support/places/place.ts";
import { temporaryDirectory } from "../../support/watching.ts";

// Engines start processes in several steps, each of which waits for a processor on a busy machine.
vi.setConfig({ testTimeout: 240_000 });
const PATIENCE = { timeout: 90_000 };
const CALLER = "test";
const engine = useEngine("podman");

const waitsFor = async (client: HostClient, command: string) => {
  const { id } = await startSession(client, { command });
  const { result } = await waitForSession(client, { keys: [id], deadlineMs: 90_000 });
  return result.reason === "input" ? result.waitingFor : result.reason;
};

test("a container with Node has a host inside", async () => {
  const node = ["-v", `${process.execPath}:/usr/local/bin/node:ro`];
  const client = clientMaker({ podman: engine.start(...libraries(), ...node) })();

  const run = { command: "cat /proc/1/comm", shell: "main" };
  const { command } = await client.turn({ caller: CALLER, on: { kind: "run", run } });

  expect(command?.output).toBe("sleep\n");
});

test("what programs of a container without Node wait for is known, and a command has its exit code", async () => {
  const client = clientMaker({ podman: engine.start() })();

  const states = await Promise.all([
    waitsFor(client, "read x"),
    waitsFor(client, "stty -echo; read x"),
    waitsFor(client, "sleep 1"),
  ]);
  const ran = await runCommand(client, { command: "echo out; exit 3", options: {}, caller: CALLER });

  expect(states).toEqual(["line", "password", "exited"]);
  expect(ran).toMatchObject({ exitCode: 3, output: "out\n" });
});

test("nothing is left inside after close, and after the death of the host", async () => {
  const client = clientMaker({ podman: engine.start() })();
  const [closed, killed] = [uniqueSleep(), uniqueSleep()];
  const { id } = await startSession(client, { command: `trap '' HUP; setsid ${closed.command}; true` });
  await startSession(client, { command: `trap '' HUP; ${killed.command}; true` });
  await expect.poll(() => [closed.pids().length, killed.pids().length], PATIENCE).toEqual([1, 1]);

  const { report } = await client.close(id, { force: true });
  const afterClose = closed.pids();
  process.kill((await client.hostStatus())?.pid ?? 0, "SIGKILL");

  expect([afterClose, report.left]).toEqual([[], []]);
  await expect.poll(() => killed.pids(), PATIENCE).toEqual([]);
});

test.each([
  ["its name", () => "box"],
  ["its digest", () => `box@${engine.tool("image", "inspect", "--format", "{{.Digest}}", "box").trim()}`],
])("an image place, by %s, makes a container for a session, and removes it", async (_what, image) => {
  const workspace = join(temporaryDirectory(), "project");
  mkdirSync(workspace);
  const client = clientMaker({ image: image(), engine: "podman", workspace })();

  const { id } = await startSession(client, { command: "pwd; read x" });
  const { result } = await waitForSession(client, { keys: [id], deadlineMs: 90_000 });
  const during = engine.tool("ps", "-aq", "--filter", "label=limpet").trim();
  await client.close(id, { force: true });

  expect(result).toMatchObject({ reason: "input", waitingFor: "line" });
  expect(during).toMatch(/^[0-9a-f]+$/);
  expect(engine.tool("ps", "-aq", "--filter", "label=limpet").trim()).toBe("");
});
