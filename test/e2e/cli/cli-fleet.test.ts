/** A fleet as a person and an agent use it: the command line, MCP and the web page over two hosts and a NATS server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test, vi } from "vitest";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { decodeMessage } from "../../../src/fleet/link/open-messages.ts";
import { connectNats } from "../../../src/fleet/nats/connect-nats.ts";
import { bidSubject } from "../../../src/fleet/subjects.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { startEagerHost } from "../../support/fleet/eager-host.ts";
import { type FleetHostProcess, startFleetHost } from "../../support/fleet/fleet-host.ts";
import { allUp } from "../../support/fleet/ledger.ts";
import { type NatsServer, startNats } from "../../support/fleet/nats-server.ts";
import { connectTo, MAIN } from "../../support/mcp.ts";
import { skipWithout } from "../../support/needs.ts";
import { readOpenMetrics } from "../../support/read-open-metrics.ts";
import { startTmux } from "../../support/screen/tmux.ts";
import { ask, signIn } from "../../support/web/ask.ts";

const { setUp, tearDown } = skipWithout("nats-server");
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let nats: NatsServer;
let hosts: readonly FleetHostProcess[] = [];
let cli: Cli;
let door: FleetDoor;
setUp(async () => {
  nats = await startNats();
  hosts = [
    startFleetHost({ url: nats.url, name: "gpu-1", labels: ["gpu"] }),
    startFleetHost({ url: nats.url, name: "cpu-1", labels: ["zone=b"] }),
  ];
  cli = openCli();
  cli.configure({ fleet: { nats: nats.url } });
  door = new FleetDoor({ access: { url: nats.url } });
  await allUp(door, ["gpu-1", "cpu-1"], 120_000);
});
tearDown(async () => {
  await cli?.limpet(["web", "stop"]);
  await cli?.[Symbol.asyncDispose]();
  await door?.close();
  await Promise.all(hosts.map((host) => host.close()));
  await nats?.close();
});

const limpet = (...words: string[]) => cli.stdout(...words);

test("a person starts, lists, reaches and ends sessions of the fleet", async () => {
  expect(await limpet("run", "--at", "fleet:gpu", "echo", "hello")).toBe("hello\n");
  const key = (await limpet("start", "--at", "fleet:gpu", "--name", "dev", "echo started; exec cat")).trim();
  await limpet("wait", "gpu-1/dev", "--until", "started", "--timeout", "60");
  await limpet("send", "gpu-1/dev", "hello", "--enter");
  await limpet("wait", "gpu-1/dev", "--until", "hello\\r?\\nhello", "--timeout", "60");

  expect(key).toMatch(/^gpu-1\/\d+$/);
  expect(await limpet("logs", key)).toBe("started\nhello\nhello\n");
  expect(JSON.parse(await limpet("top", "--fleet", "--json"))).toMatchObject([{ name: "dev", place: "gpu-1" }]);
  expect(JSON.parse(await limpet("ls", "--at", "fleet:zone=b", "--json"))).toEqual([]);
  expect(JSON.parse(await limpet("ls", "--fleet", "--nats", nats.url, "--json"))).toHaveLength(1);
  await limpet("kill", key);
  expect(await limpet("ls", "--fleet")).toBe("No sessions. Start one with: limpet start CMD\n");
});

test("a person at a terminal lists the fleet, attaches by address, types, detaches, and watches it in top", async () => {
  using tmux = startTmux(cli.env);
  const pane = await tmux.open({ cols: 120, rows: 15 });
  const { id } = await startSession(door.clientOf("gpu-1"), { command: "echo started; exec cat", name: "desk" });

  pane.run(`clear; ${cli.command} ls --fleet`);
  await pane.shows(new RegExp(`^ *gpu-1/${id} +desk +`, "m"));
  pane.run(`clear; ${cli.command} attach gpu-1/${id}`);
  await pane.shows(/^started$/m);
  pane.run("typed there");
  await pane.shows(/^typed there\ntyped there$/m);
  pane.press("C-]", "d");
  await pane.shows(`[detached from gpu-1/${id} (desk), still running]`);
  pane.run(`clear; ${cli.command} top --fleet; echo code=$?`);
  await pane.shows(/limpet top: 1 running/);
  await pane.shows(new RegExp(`^ *gpu-1/${id} +desk +running .*typed there$`, "m"));
  pane.press("Enter");
  pane.run("from top");
  await pane.shows(/^from top\nfrom top$/m);
  pane.press("C-]", "d");
  await pane.shows(`Detached from gpu-1/${id}.`);
  pane.type("q");
  await pane.shows("code=0");

  await door.clientOf("gpu-1").close(id, { force: true });
});

test("the status of a fleet says what runs at that moment, also on a host that takes nothing new", async () => {
  const started = await Promise.all(
    Array.from({ length: 6 }, () => startSession(door.clientOf("cpu-1"), { command: "cat", shell: "/bin/sh" })),
  );
  const running = async () => {
    const hosts = JSON.parse(await limpet("fleet", "status", "--json")) as { name: string; sessions: number }[];
    return hosts.find(({ name }) => name === "cpu-1")?.sessions;
  };

  const open = await running();
  await limpet("fleet", "cordon", "cpu-1");
  await Promise.all(started.map(({ id }) => door.clientOf("cpu-1").close(id, { force: true })));
  const cordoned = await running();
  await limpet("fleet", "uncordon", "cpu-1");

  expect([open, cordoned]).toEqual([6, 0]);
});

test("a drained host reports what still runs there, or is waited for, and each change is an event", async () => {
  const { id } = await startSession(door.clientOf("cpu-1"), { command: "cat", shell: "/bin/sh" });
  const env = { ...process.env, ...cli.env };
  const events = spawn(process.execPath, [MAIN, "fleet", "events"], { env, stdio: ["ignore", "pipe", "ignore"] });
  let seen = "";
  events.stdout.on("data", (chunk) => {
    seen += chunk;
  });
  await expect.poll(() => seen, { timeout: 60_000 }).toMatch(/cpu-1 up, epoch 1\n/);

  const reported = await limpet("fleet", "drain", "cpu-1");
  const waiting = limpet("fleet", "drain", "cpu-1", "--wait");
  await expect.poll(() => seen, { timeout: 60_000 }).toMatch(/cpu-1 draining, epoch 1\n/);
  await door.clientOf("cpu-1").close(id, { force: true });
  const waited = await waiting;
  await limpet("fleet", "uncordon", "cpu-1");
  await expect.poll(() => seen, { timeout: 60_000 }).toMatch(/draining[\s\S]*cpu-1 up, epoch 1\n/);
  const ended = once(events, "exit");
  events.kill("SIGINT");

  expect(reported).toBe("cpu-1 takes no new sessions. 1 runs there: limpet ls --at cpu-1\n");
  expect(waited).toBe("cpu-1 takes no new sessions. None is left there.\n");
  expect(await ended).toEqual([0, null]);
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

test("a start with --reuse finds its session on another host, and a command for one host is refused", async () => {
  const { id } = await startSession(door.clientOf("gpu-1"), { command: "cat", shell: "/bin/sh", name: "only" });

  const [reused, all] = await Promise.all([
    limpet("start", "--at", "fleet", "--name", "only", "--reuse", "--json", "cat"),
    cli.limpet(["kill", "--at", "fleet", "--all"]),
  ]);
  await door.clientOf("gpu-1").close(id, { force: true });

  expect(JSON.parse(reused)).toMatchObject({ place: "gpu-1", id, isReused: true });
  expect(all.stderr).toContain("This needs one host of the fleet. Name it with --at HOST.");
});

test("a name with --at fleet finds its session on any host", async () => {
  const { id } = await startSession(door.clientOf("gpu-1"), { command: "echo there; exec cat", name: "named" });

  const [event, text, unknown] = await Promise.all([
    limpet("wait", "--at", "fleet", "named", "--until", "there"),
    limpet("send", "--at", "fleet", "named", "typed", "--json"),
    cli.limpet(["logs", "--at", "fleet", "nobody"]),
  ]);
  await door.clientOf("gpu-1").close(id, { force: true });

  expect(event).toBe(`gpu-1/${id} (named): printed "there"\n`);
  expect(JSON.parse(text)).toMatchObject({ id, bytes: 5 });
  expect(unknown.stderr).toContain("SESSION_NOT_FOUND");
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

test("the web page shows the sessions of all hosts, and counts what is asked and refused", async () => {
  const { id } = await startSession(door.clientOf("cpu-1"), { command: "cat", name: "shown" });
  // Its process is another one, in another directory.
  const env = { LIMPET_FLEET_NATS: nats.url, XDG_CONFIG_HOME: join(cli.folder, "empty") };
  const { stdout } = await cli.limpet(["web", "--fleet", "--metrics", "127.0.0.1:0", "--json"], "", env);

  const { link } = JSON.parse(stdout) as { readonly link: string };
  const { cookie } = await signIn(link);
  const get = (key: string, headers: Record<string, string>) =>
    ask(new URL(link).origin, `/api/sessions/${encodeURIComponent(key)}/history`, { headers });
  const answers = [
    await get(`cpu-1/${id}`, { Cookie: cookie }),
    await get("cpu-1/9999", { Cookie: cookie }),
    await get(`cpu-1/${id}`, {}),
  ];
  const [, url = ""] =
    /metrics at (\S+)/.exec(readFileSync(join(cli.env["LIMPET_HOME"] ?? "", "web.log"), "utf8")) ?? [];
  const families = readOpenMetrics(await (await fetch(url)).text());
  await door.clientOf("cpu-1").close(id, { force: true });

  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401]);
  const refusals = families.get("limpet_refusals")?.samples.map(({ labels, value }) => [labels["code"], value]);
  expect(Object.fromEntries(refusals ?? [])).toEqual({ NOT_SIGNED_IN: 1, SESSION_NOT_FOUND: 1 });
  const states = families.get("limpet_fleet_hosts")?.samples.map(({ labels, value }) => [labels["state"], value]);
  expect(Object.fromEntries(states ?? [])).toEqual({ up: 2, draining: 0, cordoned: 0, unreachable: 0, lost: 0 });
});

test("a start names its directory to the hosts, and goes to the next host if the chosen one is full", async () => {
  const asked: unknown[] = [];
  const bus = await connectNats({ access: { url: nats.url }, kind: "door", name: "observer" });
  onTestFinished(() => bus.close());
  bus.subscribe(bidSubject("eager"), ({ data }) => void asked.push(decodeMessage(data)?.["workspace"]));
  await startEagerHost({ name: "eager", url: nats.url, door, env: cli.env });
  const busy = await startSession(door.clientOf("gpu-1"), { command: "cat", shell: "/bin/sh" });

  const key = (await limpet("start", "--at", "fleet:gpu || eager", "--cwd", "/usr", "exec cat")).trim();
  const started = Number(key.replace("gpu-1/", ""));
  await Promise.all([busy.id, started].map((id) => door.clientOf("gpu-1").close(id, { force: true })));

  expect(key).toMatch(/^gpu-1\/\d+$/);
  await expect.poll(() => asked).toEqual(["/usr"]);
});

test("a fleet that is not known is said so", async () => {
  const { code, stderr } = await cli.limpet(["ls", "--fleet"], "", { XDG_CONFIG_HOME: join(cli.folder, "none") });

  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining("No fleet is known. Give --nats URL")]);
  expect(code).not.toBe(0);
});
