/** MCP with the sessions in a host: what outlives the client, and what the next one finds. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readOutput, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, hostPids } from "../../support/host/host.ts";
import { type Answer, MAIN, RawClient } from "../../support/mcp.ts";
import { until } from "../../support/sessions.ts";

const plain = { login: false, shell: "/bin/sh" };

function connect(directory: string): RawClient {
  const client = new RawClient(["--state", directory], { where: "host" });
  onTestFinished(() => endProcess(client.child.pid ?? 0));
  return client;
}

async function output(client: RawClient, name: string, args: Record<string, unknown>): Promise<unknown> {
  return outputOf(await client.tool(`${name} ${Math.random()}`, name, args));
}

function outputOf({ result }: Answer): unknown {
  return (result?.["structuredContent"] as Record<string, unknown> | undefined)?.["output"];
}

test("a server that was killed is started again and goes on: nothing is lost, nothing is given twice", async () => {
  const directory = hostDirectory();
  const first = connect(directory);
  await first.initialize();
  const talker = 'stty -echo; echo ready; while read line; do echo "said $line"; done';
  expect(await output(first, "exec_command", { cmd: talker, name: "talker", until: "ready\n", ...plain })).toBe(
    "ready\n",
  );
  expect(await output(first, "write_stdin", { session_id: "talker", chars: "one\n", until: "said one\n" })).toBe(
    "said one\n",
  );
  const host = hostAt(directory);
  await host.write("talker", "two\n");
  // The confirmation of the last answer is on its way when the answer is.
  await until(async () => (await host.hostStatus())?.clients === 3, "both are connected");
  await waitForSession(host, { keys: ["talker"], until: "said two", onInput: false });

  first.child.kill("SIGKILL");
  await first.ended;
  const second = connect(directory);
  await second.initialize();

  expect(await output(second, "write_stdin", { session_id: "talker", chars: "three\n", until: "said three\n" })).toBe(
    "said two\nsaid three\n",
  );
});

test("limpet in a session finds the host of its server, also where that was given by a flag alone", async () => {
  const directory = hostDirectory();
  const client = connect(directory);
  await client.initialize();
  const cmd = `${process.execPath} ${MAIN} host status --json`;

  const started = await output(client, "exec_command", { cmd, ...plain });
  const run = await output(client, "run", { command: cmd });

  const pid = (await hostAt(directory).hostStatus())?.pid;
  for (const told of [started, run]) expect(JSON.parse(String(told))).toMatchObject({ pid, stateDirectory: directory });
});

test("a session that is given another LIMPET_HOME has that one", async () => {
  const host = hostAt(hostDirectory());

  const { id } = await startSession(host, {
    command: "echo $LIMPET_HOME",
    env: { LIMPET_HOME: "/elsewhere" },
    ...plain,
  });
  await waitForSession(host, { keys: [id], onInput: false });

  expect((await readOutput(host, id, { kind: "text" })).text).toBe("/elsewhere\n");
});

test("closed input ends the server alone", async () => {
  const directory = hostDirectory();
  const client = connect(directory);
  await client.initialize();
  await output(client, "exec_command", { cmd: "exec cat", name: "stays", ...plain });

  client.child.stdin.end();
  await client.ended;

  expect(await hostAt(directory).running()).toEqual([{ id: 1, name: "stays", place: null, isIdle: false }]);
});

test("a server whose tools are not called starts no host", async () => {
  const directory = hostDirectory();
  const client = connect(directory);
  await client.initialize();
  await client.ask({ id: "list", method: "tools/list" });
  await client.ask({ id: "resources", method: "resources/list" });

  expect(hostPids(directory)).toEqual([]);
  await client[Symbol.asyncDispose]();
});

test("a host that was stopped stays so until a tool is called", async () => {
  const directory = hostDirectory();
  const client = connect(directory);
  await client.initialize();
  await output(client, "exec_command", { cmd: "exec cat", ...plain });

  const stop = spawn(process.execPath, [MAIN, "host", "stop", "--state", directory]);
  expect(await once(stop, "close")).toEqual([0, null]);
  await until(() => hostPids(directory).length === 0, "it is gone");

  const { result } = await client.ask({ id: "resources", method: "resources/list" });
  expect(result).toMatchObject({ resources: [{ uri: "limpet://brief" }] });
  expect(hostPids(directory)).toEqual([]);
  expect(await output(client, "exec_command", { cmd: "echo again", ...plain })).toBe("again\n");
});

test.each(["in-process", "host"] as const)(
  "a client that cancels calls sees all output, once, with the sessions kept by: %s",
  async (where) => {
    const client = new RawClient(where === "host" ? ["--state", hostDirectory()] : [], { where });
    onTestFinished(() => endProcess(client.child.pid ?? 0));
    await client.initialize();
    const talker = 'stty -echo; echo ready; while read line; do echo "said $line"; done';
    await output(client, "exec_command", { cmd: talker, name: "talker", until: "ready\n", ...plain });
    const words = Array.from({ length: 40 }, (_, index) => `w${(index + 1) ** 2}`);
    let seen = "";

    for (const [index, word] of words.entries()) {
      const params = { name: "write_stdin", arguments: { session_id: "talker", chars: `${word}\n`, until: "said" } };
      client.send({ jsonrpc: "2.0", id: word, method: "tools/call", params });
      await sleep(index % 12);
      // Whoever has the answer does not cancel; whoever has cancelled does not look at it.
      const answer = client.answers.find(({ id }) => id === word);
      if (answer) seen += outputOf(answer);
      else client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: word } });
    }
    const last = { session_id: "talker", until: "said last\n", yield_time_ms: 10_000 };
    seen += await output(client, "write_stdin", { ...last, chars: "last\n" });
    for (let tries = 0; tries < 100 && !seen.includes("said last\n"); tries += 1) {
      seen += await output(client, "write_stdin", last);
    }

    // A call that is cancelled before it types types nothing; what was typed is in the session.
    const all = String(await output(client, "read_output", { session_id: "talker", raw: true }));
    expect(`ready\n${seen}`).toBe(all.replaceAll("\r", ""));
    expect(seen).toMatch(/said last\n$/);
  },
);

test("of two servers of one client each gives all output", async () => {
  const directory = hostDirectory();
  const servers = [connect(directory), connect(directory)] as const;
  for (const server of servers) await server.initialize();
  const talker = 'stty -echo; echo ready; while read line; do echo "said $line"; done';
  await output(servers[0], "exec_command", { cmd: talker, name: "talker", until: "ready\n", ...plain });
  const host = hostAt(directory);
  const seen: [unknown, unknown][] = [];

  for (const word of ["one", "two"]) {
    await host.write("talker", `${word}\n`);
    await waitForSession(host, { keys: ["talker"], until: `said ${word}`, onInput: false });
    const look = { session_id: "talker", until: `said ${word}\n` };
    seen.push([await output(servers[0], "write_stdin", look), await output(servers[1], "write_stdin", look)]);
  }

  expect(seen).toEqual([
    ["said one\n", "ready\nsaid one\n"],
    ["said two\n", "said two\n"],
  ]);
});
