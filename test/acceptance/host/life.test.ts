/** One host per directory: how it starts, how many there are, and how it ends. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LimpetError } from "../../../src/base/limpet-error.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { readOutput, runCommand, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, hostPids, isGone, pidOf } from "../../support/host/host.ts";
import { MAIN } from "../../support/mcp.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { codeOf, errorOf, isLong, until } from "../../support/sessions.ts";

const plain = { login: false, shell: "/bin/sh" };

/** A host in the foreground, as a person would start it. */
function runHost(stateDirectory: string) {
  const child = spawn(process.execPath, [MAIN, "host", "run", "--state", stateDirectory], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  onTestFinished(() => endProcess(child.pid ?? 0));
  return { child, ended, said: () => said };
}

/** Starts a program that only SIGKILL ends. Resolves with its session when it is deaf to the others. */
async function startDeaf(client: HostClient, seconds: string): Promise<number> {
  const command = `trap '' HUP TERM; echo deaf; while :; do sleep ${seconds}; done`;
  const { id } = await startSession(client, { command, ...plain });
  await waitForSession(client, { keys: [id], until: "deaf", onInput: false });
  return id;
}

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

test("on SIGTERM all sessions end, stubborn ones too, and the host exits with 0", async () => {
  const directory = hostDirectory();
  const host = runHost(directory);
  await until(() => existsSync(join(directory, "host.sock")), "it listens");
  const client = hostAt(directory);
  const seconds = uniqueSeconds();
  const count = isLong ? 20 : 5;
  for (let n = 0; n < count; n += 1) {
    await startSession(client, {
      command: `trap '' HUP TERM; (setsid sleep ${seconds} &) ; sleep ${seconds}`,
      ...plain,
    });
  }
  await until(() => pidsWith(seconds).length >= 2 * count, "they run");

  host.child.kill("SIGTERM");

  expect(await host.ended).toEqual({ code: 0, signal: null });
  expect(pidsWith(seconds)).toEqual([]);
  expect(existsSync(join(directory, "host.sock"))).toBe(false);
});

test("a second SIGTERM forces the end, and nothing is left of the sessions", async () => {
  const seconds = uniqueSeconds();
  const endTwice = async () => {
    const directory = hostDirectory();
    const host = runHost(directory);
    await until(() => existsSync(join(directory, "host.sock")), "it listens");
    await startDeaf(hostAt(directory), seconds);
    host.child.kill("SIGTERM");
    await until(() => host.said().includes("ends: SIGTERM"), "the first is heard");
    host.child.kill("SIGTERM");
    return (await host.ended).code;
  };

  // A second later it has ended by itself. On a busy machine, that may be before the second signal.
  await until(async () => (await endTwice()) === 1, "it is forced");

  await until(() => pidsWith(seconds).length === 0, "all is gone");
});

test("a host that is told to stop ends its sessions, and the next one has their output", async () => {
  const directory = hostDirectory();
  const client = hostAt(directory);
  const { id } = await startSession(client, { command: "echo kept; exec cat", name: "kept", ...plain });
  await waitForSession(client, { keys: [id], until: "kept", onInput: false });

  expect(await client.stopHost()).toBe(true);
  expect(await client.stopHost()).toBe(false);
  const next = hostAt(directory);

  expect(await next.list({ ended: true })).toMatchObject([
    { id, name: "kept", lost: false, exit: { kind: "signal" }, outputBytes: 6, lastLine: "kept" },
  ]);
  expect((await startSession(next, { command: "true", ...plain })).id).toBe(id + 1);
});

test("a host that is ending refuses to start a session, and says why", async () => {
  const askWhileItEnds = async () => {
    const directory = hostDirectory();
    const client = hostAt(directory);
    const id = await startDeaf(client, "0.1");
    const stopping = client.stopHost();
    await until(() => !existsSync(join(directory, "host.sock")), "it is ending");
    const acts = [
      startSession(client, { command: "exec cat", ...plain }),
      runCommand(client, { command: "true", shell: "main", caller: "test", fresh: { shell: "/bin/sh" } }),
    ];
    const refusals = await Promise.all(
      acts.map((act) =>
        act.then(
          () => "not refused",
          ({ code, message }: LimpetError) => `${code}: ${message}`,
        ),
      ),
    );
    expect(await stopping).toBe(true);
    return { directory, id, refusals };
  };

  // A second later it has ended. On a busy machine, that may be before it is asked.
  let asked = await askWhileItEnds();
  for (let n = 1; n < 10 && !asked.refusals.every((each) => each.includes("is ending")); n += 1)
    asked = await askWhileItEnds();

  expect(asked.refusals).toEqual(Array(2).fill(expect.stringMatching(/^HOST_GONE: .*is ending/)));
  expect(await hostAt(asked.directory).list({ ended: true })).toMatchObject([{ id: asked.id, lost: false }]);
});

test("a session that is asked for in the moment of the stop is refused or ended, never lost", async () => {
  const directory = hostDirectory();
  const client = hostAt(directory);
  await client.list({ ended: false });

  const stopping = client.stopHost();
  const starts = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const started = startSession(client, { command: "exec cat", ...plain }).then(() => "started");
      return await started.catch((error: { readonly code?: string }) => error.code);
    }),
  );
  await stopping;

  expect(new Set([...starts, "started", "HOST_GONE"])).toEqual(new Set(["started", "HOST_GONE"]));
  const left = await hostAt(directory).list({ ended: true });
  expect(left.filter(({ lost }) => lost)).toEqual([]);
});

test("a client whose host has died is told so, and its next call finds a new one", async () => {
  const directory = hostDirectory();
  const client = hostAt(directory);
  const { id } = await startSession(client, { command: "exec cat", ...plain });
  const waiting = codeOf(waitForSession(client, { keys: [id], onInput: false }));
  endProcess(await pidOf(client));

  expect(await waiting).toBe("HOST_GONE");
  expect(await client.running()).toEqual([]);
  expect(hostPids(directory)).toEqual([]);
  expect(await client.list({ ended: false })).toMatchObject([{ id, lost: true }]);
});

test("a host that cannot be started says why", async () => {
  const directory = hostDirectory();
  mkdirSync(join(directory, "last-id"), { recursive: true, mode: 0o700 });

  const error = await errorOf(hostAt(directory).list({ ended: false }));

  expect(error.code).toBe("HOST_START_FAILED");
  expect(error.message).toContain("EISDIR");
  expect(readFileSync(join(directory, "host.log"), "utf8")).toContain("EISDIR");
});
