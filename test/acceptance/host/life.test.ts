/** One host per directory: how it starts, how many there are, and what its programs get. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readOutput, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, hostPids, isGone, pidOf } from "../../support/host/host.ts";
import { runHost } from "../../support/host/run-host.ts";
import { MAIN } from "../../support/mcp.ts";
import { errorOf, until } from "../../support/sessions.ts";

const plain = { login: false, shell: "/bin/sh" };

test("many clients at once start one host, and all reach it", async () => {
  const directory = hostDirectory();
  const clients = Array.from({ length: 8 }, () => hostAt(directory));

  const started = await Promise.all(
    clients.map((client, n) => startSession(client, { command: "cat", name: `c${n}`, ...plain })),
  );

  const ids = started.map(({ id }) => id).sort((one, other) => one - other);
  expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  await until(() => hostPids(directory).length === 1, "the others have given up");
});

test("a second host on the same directory refuses, and names the way out", async () => {
  const directory = hostDirectory();
  const first = hostAt(directory);
  await first.list({ ended: false });

  const second = runHost(directory);

  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.said()).toBe(
    `HOST_RUNNING: A host already runs on ${directory}. Use it, or end it first with limpet host stop.\n`,
  );
  expect(await first.running()).toEqual([]);
});

test("a host that starts when its client has found another one ends at once, and creates nothing", async () => {
  const directory = join(hostDirectory(), "later");
  const words = [MAIN, "host", "run", "--detached", "--state", directory];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit", "pipe"] });
  onTestFinished(() => endProcess(child.pid ?? 0));

  child.stdio[3]?.destroy();

  expect(await once(child, "close")).toEqual([0, null]);
  expect(existsSync(directory)).toBe(false);
});

test("a lock and a socket of a host that was killed are in nobody's way, whoever has its pid by now", async () => {
  const directory = hostDirectory();
  const client = hostAt(directory);
  await client.list({ ended: false });
  const pid = await pidOf(client);
  endProcess(pid);
  await until(() => isGone(pid), "it is gone");
  writeFileSync(join(directory, "host.lock"), JSON.stringify({ pid: process.pid }));
  expect(existsSync(join(directory, "host.sock"))).toBe(true);

  expect(await hostAt(directory).list({ ended: false })).toEqual([]);
  expect(await pidOf(client)).not.toBe(pid);
});

test("a directory whose path is longer than a socket's may be has a host like any other", async () => {
  const directory = join(hostDirectory(), "d".repeat(120), "e".repeat(120));
  const client = hostAt(directory);
  onTestFinished(async () => {
    await client.stopHost();
  });

  const { id } = await startSession(client, { command: "echo reached", ...plain });
  await waitForSession(client, { keys: [id] });

  expect((await readOutput(client, id, { kind: "text" })).text).toBe("reached\n");
  expect(statSync(join(directory, "host.sock")).mode & 0o777).toBe(0o600);
});

test("a directory that is given as seen from here is that one, although a host is started elsewhere", async () => {
  const directory = hostDirectory();

  const { id } = await startSession(hostAt(relative(process.cwd(), directory)), {
    command: "echo $LIMPET_HOME",
    ...plain,
  });

  const host = hostAt(directory);
  await waitForSession(host, { keys: [id], onInput: false });
  expect((await readOutput(host, id, { kind: "text" })).text).toBe(`${directory}\n`);
});

test("a program gets the environment and the directory of the client that starts it, not the host's", async () => {
  const directory = hostDirectory();
  await hostAt(directory).list({ ended: false });
  const elsewhere = join(directory, "elsewhere");
  mkdirSync(elsewhere);
  const script = `
    import { connectHost } from ${JSON.stringify(join(MAIN, "../../entries/service.js"))};
    const client = connectHost({ stateDirectory: process.argv[1] });
    const start = { command: 'echo "$PWD $EDITOR"', login: false, shell: "/bin/sh", size: { cols: 500, rows: 24 } };
    const on = { kind: "start", start };
    const { output } = await client.turn({ caller: "test", on, wait: { kind: "output" }, read: { kind: "unread" } });
    process.stdout.write(output.text);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, directory], {
    cwd: elsewhere,
    env: { ...process.env, EDITOR: "the-clients-own" },
    stdio: ["ignore", "pipe", "inherit"],
  });

  const [said] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];

  expect(said).toBe(`${elsewhere} the-clients-own\n`);
});

test("a host that cannot be started says why", async () => {
  const directory = hostDirectory();
  mkdirSync(join(directory, "last-id"), { recursive: true, mode: 0o700 });

  const error = await errorOf(hostAt(directory).list({ ended: false }));

  expect(error.code).toBe("HOST_START_FAILED");
  expect(error.message).toContain("EISDIR");
  expect(readFileSync(join(directory, "host.log"), "utf8")).toContain("EISDIR");
});
