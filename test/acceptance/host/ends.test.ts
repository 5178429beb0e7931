/** How a host ends, by a signal, on request or by its death, and what becomes of its sessions. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LimpetError } from "../../../src/base/limpet-error.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { runCommand, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, hostPids, pidOf } from "../../support/host/host.ts";
import { runHost } from "../../support/host/run-host.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { codeOf, isLong, until } from "../../support/sessions.ts";

const plain = { login: false, shell: "/bin/sh" };

/** Starts a program that only SIGKILL ends. Resolves with its session when it is deaf to the others. */
async function startDeaf(client: HostClient, seconds: string): Promise<number> {
  const command = `trap '' HUP TERM; echo deaf; while :; do sleep ${seconds}; done`;
  const { id } = await startSession(client, { command, ...plain });
  await waitForSession(client, { keys: [id], until: "deaf", onInput: false });
  return id;
}

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
