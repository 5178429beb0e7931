/** A fleet as a person and an agent use it: the command line, MCP and the web page over two hosts and a NATS server. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Cli, openCli } from "../support/cli.ts";
import { type FleetHostProcess, startFleetHost } from "../support/fleet/fleet-host.ts";
import { type NatsServer, startNats } from "../support/fleet/nats-server.ts";
import { connectTo, MAIN } from "../support/mcp.ts";
import { skipWithout } from "../support/needs.ts";
import { until } from "../support/sessions.ts";
import { ask, signIn } from "../support/web/ask.ts";

skipWithout("nats-server");
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let nats: NatsServer;
let hosts: readonly FleetHostProcess[] = [];
let cli: Cli;
beforeAll(async () => {
  nats = await startNats();
  hosts = [
    startFleetHost({ url: nats.url, name: "gpu-1", labels: ["gpu"] }),
    startFleetHost({ url: nats.url, name: "cpu-1", labels: ["zone=b"] }),
  ];
  cli = openCli();
  const folder = join(cli.folder, "config", "limpet");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ fleet: { nats: nats.url } }));
  const areUp = async () => (await cli.limpet(["fleet", "status"])).stdout.match(/ up /g)?.length === 2;
  await until(areUp, "both hosts are up", 120_000);
});
afterAll(async () => {
  await cli?.limpet(["web", "stop"]);
  await cli?.[Symbol.asyncDispose]();
  await Promise.all(hosts.map((host) => host.close()));
  await nats?.close();
});

/** Must succeed; gives stdout. */
async function limpet(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli.limpet(words);
  if (code !== 0) throw new Error(`limpet ${words.join(" ")} gave ${code}: ${stderr}`);
  return stdout;
}

test("a person starts, lists, reaches and ends sessions of the fleet", async () => {
  expect(await limpet("run", "--at", "fleet:gpu", "echo", "hello")).toBe("hello\n");
  const key = (await limpet("start", "--at", "fleet:gpu", "--name", "dev", "echo begun; exec cat")).trim();
  await limpet("wait", key, "--until", "begun", "--timeout", "60");
  await limpet("send", "gpu-1/dev", "hello", "--enter");
  await limpet("wait", "gpu-1/dev", "--until", "hello\\r?\\nhello", "--timeout", "60");

  expect(key).toMatch(/^gpu-1\/\d+$/);
  expect(await limpet("logs", key)).toBe("begun\nhello\nhello\n");
  const [listed, top] = await Promise.all([limpet("ls", "--fleet", "--json"), limpet("top", "--fleet", "--json")]);
  for (const text of [listed, top]) expect(JSON.parse(text)).toMatchObject([{ name: "dev", place: "gpu-1" }]);
  expect(JSON.parse(await limpet("ls", "--at", "fleet:zone=b", "--json"))).toEqual([]);
  expect(JSON.parse(await limpet("ls", "--fleet", "--nats", nats.url, "--json"))).toHaveLength(1);
  await limpet("kill", key);
  expect(await limpet("ls", "--fleet")).toBe("No sessions. Start one with: limpet start CMD\n");
});

test("an operator drains a host, and new sessions go elsewhere or are refused", async () => {
  expect(await limpet("fleet", "drain", "gpu-1", "--wait")).toBe("gpu-1 takes no new sessions. None is left there.\n");
  const there = await cli.limpet(["start", "--at", "gpu-1", "cat"]);
  const labelled = await cli.limpet(["start", "--at", "fleet:gpu", "cat"]);
  const anywhere = (await limpet("start", "--at", "fleet", "cat")).trim();
  await limpet("kill", anywhere);
  expect(await limpet("fleet", "uncordon", "gpu-1")).toBe("gpu-1 takes new sessions.\n");

  expect(there.stderr).toContain("gpu-1 is draining and starts nothing new.");
  expect(labelled.stderr).toContain('FLEET_FULL: No host that matches "gpu" can take a session: gpu-1 is draining.');
  expect(anywhere).toMatch(/^cpu-1\/\d+$/);
});

test("an agent's sessions run on hosts with the labels, and its shell stays on its host", async () => {
  const args = [MAIN, "mcp", "--structured", "--at", "fleet:gpu"];
  const env = { ...(process.env as Record<string, string>), ...cli.env };
  const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd: cli.folder });
  const server = { pid: () => transport.pid ?? -1, close: async () => undefined };
  const agent = await connectTo("legacy", transport, server);
  try {
    const started = await agent.structured("exec_command", { cmd: "exec cat", yield_time_ms: 0 });
    const key = String(started["session_id"]);
    await agent.call("run", { command: "cd /; x=5" });
    const { output } = await agent.structured("run", { command: "echo $x in $PWD" });
    const listed = await agent.call("list_sessions");
    const closed = await agent.call("close_session", { session_id: key });

    expect(key).toMatch(/^gpu-1\/\d+$/);
    expect(output).toBe("5 in /\n");
    expect(listed).toContain(key);
    expect(closed).toContain(`Session ${key} closed.`);
  } finally {
    await agent[Symbol.asyncDispose]();
  }
});

test("the web page shows the sessions of all hosts", async () => {
  const key = (await limpet("start", "--at", "cpu-1", "--name", "shown", "cat")).trim();

  const { link } = (await cli.json("web", "--fleet")) as { readonly link: string };
  const { cookie } = await signIn(link);
  const path = `/api/sessions/${encodeURIComponent(key)}/history`;
  const { status } = await ask(new URL(link).origin, path, { headers: { Cookie: cookie } });
  await limpet("kill", key);

  expect(status).toBe(200);
});

test("a fleet that is not known is said so", async () => {
  const { code, stderr } = await cli.limpet(["ls", "--fleet"], "", { XDG_CONFIG_HOME: join(cli.folder, "empty") });

  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining("No fleet is known. Give --nats URL")]);
  expect(code).not.toBe(0);
});
