/** What happens in sessions, as a person, a script, a hook and an agent are told. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { LimpetError } from "../../../src/base/limpet-error.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { runCommand, startSession } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { MAIN, RawClient } from "../../support/mcp.ts";
import { until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };

interface Watching {
  readonly child: ChildProcess;
  readonly lines: string[];
}

/** Resolves when it reports events. */
async function watch(cli: Cli, ...flags: string[]): Promise<Watching> {
  const env = { ...process.env, ...cli.env };
  const child = spawn(process.execPath, [MAIN, "watch", ...flags], { env, stdio: ["ignore", "pipe", "inherit"] });
  cli.closeFirst(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const isThere = async () => {
    await startSession(cli.sessions, { command: "true", name: "ready", ...plain }).catch(() => undefined);
    return lines.length > 0;
  };
  await until(isThere, "limpet watch reports something");
  return { child, lines };
}

/** Of the session with that name, without times. */
function eventsOf(lines: readonly string[], name: string): unknown[] {
  const events = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((event) => event["name"] === name);
  return events.map(
    ({ at: _at, id: _id, owner: _owner, name: _name, place: _place, durationMs: _took, ...rest }) => rest,
  );
}

/** This client may notice the end of the host only by a call that fails. */
async function startAfterLoss(sessions: HostClient): Promise<void> {
  const start = async () => {
    const error = await startSession(sessions, { command: "exec cat", name: "after", ...plain }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof LimpetError && error.code === "HOST_GONE") return false;
    if (error) throw error;
    return true;
  };
  await until(start, "a new host has started it");
}

test("limpet watch --json reports starts, prompts, ports, finished commands, exits and losses, each once", async () => {
  await using cli = openCli();
  const { lines } = await watch(cli, "--json");
  const { sessions } = cli;
  const server = "require('http').createServer().listen(0, '127.0.0.1')";

  const asking = await startSession(sessions, { command: "read -r a; read -r b; exit 3", name: "asking", ...plain });
  await expect.poll(() => eventsOf(lines, "asking").length).toBe(2);
  await sessions.write(asking.id, "one\n");
  await expect.poll(() => eventsOf(lines, "asking").length).toBe(3);
  await sessions.write(asking.id, "two\n");
  await runCommand(sessions, { command: "false", shell: "main", caller: "test", fresh: { shell: "/bin/sh" } });
  await startSession(sessions, { program: process.execPath, args: ["-e", server], name: "web" });

  await expect
    .poll(() => eventsOf(lines, "asking"))
    .toEqual([
      { kind: "started", program: "read -r a; read -r b; exit 3" },
      { kind: "waiting", waitingFor: "line" },
      { kind: "waiting", waitingFor: "line" },
      { kind: "exited", exit: { kind: "code", code: 3 } },
    ]);
  await expect
    .poll(() => eventsOf(lines, "main")[1])
    .toMatchObject({ kind: "finished", command: "false", exitCode: 1 });
  await expect.poll(() => eventsOf(lines, "web")[1]).toMatchObject({ kind: "listening", address: "127.0.0.1" });

  endProcess(await cli.hostPid());
  await expect.poll(() => eventsOf(lines, "web").at(-1)).toEqual({ kind: "lost" });
  await expect.poll(() => eventsOf(lines, "main").at(-1)).toEqual({ kind: "lost" });
  await startAfterLoss(sessions);
  await expect.poll(() => eventsOf(lines, "after")[0]).toEqual({ kind: "started", program: "exec cat" });
  expect(eventsOf(lines, "asking")).toHaveLength(4);
});

test("limpet watch prints a line per event for people, only of the kinds and sessions that were asked for", async () => {
  await using cli = openCli();
  const { lines } = await watch(cli, "ready", "dev", "--only", "started,exited");

  await startSession(cli.sessions, { command: "read x", name: "dev", ...plain });
  await startSession(cli.sessions, { command: "exit 1", name: "other", ...plain });
  await cli.sessions.write("dev", "\n");

  const about = () => lines.filter((line) => line.includes("(dev)")).map((line) => line.replace(/\d+ \(/, "# ("));
  await expect
    .poll(about)
    .toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d # \(dev\) started: "read x"$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d # \(dev\) exited with code 0$/),
    ]);
  expect(lines.join("\n")).not.toContain("other");
  expect(await cli.limpet(["watch", "--only", "waits"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Unknown event "waits". Use one or more of: started,waiting'),
  });
});

function writeConfig(cli: Cli, config: object): void {
  const file = join(cli.env["XDG_CONFIG_HOME"] ?? "", "limpet", "config.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(config));
}

test("a hook of config.json gets the event as JSON, and applies as soon as the file has changed", async () => {
  await using cli = openCli();
  const told = join(cli.folder, "told");
  // Whole lines: the file is there before anything is written.
  const read = () => (existsSync(told) ? readFileSync(told, "utf8").split("\n").slice(0, -1) : []);
  writeConfig(cli, { hooks: { waiting: `cat >> ${told}` } });

  // It starts the host, with the configuration of this test.
  await cli.limpet(["ls"]);
  const { id } = await startSession(cli.sessions, { command: "read -r word", name: "dev", ...plain });
  await expect.poll(() => read().length).toBe(1);
  writeConfig(cli, { hooks: { exited: `echo ended >> ${told}; cat >/dev/null` } });
  const isNew = async () => {
    await cli.limpet(["run", "true"]);
    return read().includes("ended");
  };
  await until(isNew, "the new hook applies");

  expect(JSON.parse(read()[0] ?? "")).toMatchObject({
    kind: "waiting",
    waitingFor: "line",
    session: { id, name: "dev", place: null },
  });
});

test("a hook that is wrong in config.json is named, with its line", async () => {
  await using cli = openCli();
  writeConfig(cli, { hooks: { waits: "true" } });

  const { code, stderr } = await cli.limpet(["run", "true"]);

  expect(code).not.toBe(0);
  expect(stderr).toContain('Line 1 has an unknown event "waits" in hooks.');
});

interface Pushed {
  readonly content: string;
  readonly meta: Record<string, string>;
}

function pushedTo(client: RawClient): readonly Pushed[] {
  return client.answers
    .filter(({ method }) => method === "notifications/claude/channel")
    .map(({ params }) => params as unknown as Pushed);
}

test("with --channel, events reach the conversation; what an answer reports is not repeated", async () => {
  await using client = new RawClient(["--channel", "exited,waiting"], { form: "text" });
  const { result } = await client.initialize();
  const capabilities = result?.["capabilities"] as { readonly experimental?: unknown };

  await client.tool("short", "exec_command", { cmd: "exit 4", login: false });
  const go = join(temporaryDirectory(), "go");
  await client.tool("long", "exec_command", {
    cmd: `until [ -e ${go} ]; do sleep 0.05; done; read -r x; exit 5`,
    name: "dev",
    login: false,
    yield_time_ms: 0,
  });
  writeFileSync(go, "");
  await expect.poll(() => pushedTo(client).length).toBe(1);
  await client.tool("go", "write_stdin", { session_id: 2, chars: "x\n", yield_time_ms: 0, until: "never" });
  await client.tool("other", "exec_command", { cmd: "sleep 0.3", login: false });
  await client.tool("wait", "list_sessions", {});

  expect(capabilities.experimental).toEqual({ "claude/channel": {} });
  expect(pushedTo(client)[0]).toEqual({
    content: "Session 2 (dev) waits for input: line",
    meta: { kind: "waiting", session_id: "2", session_name: "dev" },
  });
  expect(
    pushedTo(client)
      .map(({ content }) => content)
      .join("\n"),
  ).not.toContain("code 4");
});

test("with --channel-session only events of that session are pushed, and without --channel none", async () => {
  await using chosen = new RawClient(["--channel", "exited", "--channel-session", "dev"]);
  await using off = new RawClient();
  await chosen.initialize();
  const { result } = await off.initialize();
  const go = join(temporaryDirectory(), "go");

  for (const client of [chosen, off]) {
    for (const name of ["other", "dev"]) {
      const cmd = `until [ -e ${go} ]; do sleep 0.05; done; exit 6`;
      await client.tool(name, "exec_command", { cmd, name, login: false, yield_time_ms: 0 });
    }
  }
  writeFileSync(go, "");

  await expect
    .poll(() => pushedTo(chosen).map(({ content }) => content))
    .toEqual(["Session 2 (dev) exited with code 6"]);
  expect(result?.["capabilities"]).not.toHaveProperty("experimental");
  expect(pushedTo(off)).toEqual([]);
});
