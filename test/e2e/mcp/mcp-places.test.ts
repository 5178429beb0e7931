/** `limpet mcp` with places in config.json, in its own process and with a host. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";
import { MAIN, textOf } from "../../support/mcp.ts";
import { needs } from "../../support/needs.ts";
import { type TestPlace, testPlace } from "../../support/places/place.ts";
import { sshPlace } from "../../support/places/ssh-place.ts";
import { until } from "../../support/sessions.ts";

// Each test starts two hosts and a server.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

interface Server {
  readonly cli: Cli;
  readonly place: TestPlace;
  readonly client: Client;
  call(name: string, args: Record<string, unknown>): Promise<{ readonly text: string; readonly isError: boolean }>;
}

type Config = Record<string, unknown>;

async function serve(flags: readonly string[], config: (place: TestPlace) => Config): Promise<Server> {
  const cli = openCli();
  onTestFinished(() => cli[Symbol.asyncDispose]());
  const place = testPlace();
  // Stops the host there at the end.
  place.client();
  const folder = join(cli.folder, "config", "limpet");
  mkdirSync(folder, { recursive: true });
  const { policy, ...rest } = config(place);
  writeFileSync(join(folder, "config.json"), JSON.stringify(rest));
  if (policy) writeFileSync(join(folder, "policy.json"), JSON.stringify(policy));
  const client = new Client({ name: "test", version: "1.0.0" });
  const env = { ...(process.env as Record<string, string>), ...cli.env };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp", ...flags], env, cwd: cli.folder }),
  );
  onTestFinished(() => client.close());
  return {
    cli,
    place,
    client,
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args });
      return { text: textOf(result), isError: result.isError === true };
    },
  };
}

const build = ({ setting }: TestPlace): Config => ({ places: { build: setting } });
const WHERE = [["in its own process", ["--in-process"]] as const, ["with a host", []] as const];

async function placeParams({ client }: Server): Promise<Record<string, unknown>> {
  const { tools } = await client.listTools();
  return Object.fromEntries(
    tools.map(({ name, inputSchema }) => [name, inputSchema.properties?.["place"]] as const).filter(([, p]) => p),
  );
}

test("without places, no tool has a place, and the instructions name none", async () => {
  const server = await serve(["--in-process"], () => ({}));

  expect(await placeParams(server)).toEqual({});
  expect(server.client.getInstructions()).not.toContain("place");
});

test.each(["codex", "unified"])("the profile %s has no places", async (profile) => {
  const server = await serve(["--tools", profile], build);

  expect(await placeParams(server)).toEqual({});
});

test.each(WHERE)("%s, the tools that start programs have a place", async (_where, flags) => {
  const server = await serve(flags, build);
  const place = { type: "string", enum: ["build"], description: "where to run it; default here" };

  expect(await placeParams(server)).toEqual({ run: place, exec_command: place });
  expect(server.client.getInstructions()).toContain("session ids there look like build/7.");
});

test.each(WHERE)("%s, an agent works here and at a place", async (_where, flags) => {
  const { place, call } = await serve(flags, build);

  const far = await call("exec_command", { cmd: "pwd; exec cat", place: "build", name: "dev", yield_time_ms: 60_000 });
  const near = await call("run", { command: "echo near" });
  const typed = await call("write_stdin", { session_id: "build/dev", chars: "hello\n" });
  const listed = await call("list_sessions", {});

  expect(far.text).toContain("Process running with session ID build/1 (dev)\n");
  expect(far.text).toContain(`${place.home}\n`);
  expect(near.text).toContain("\nStill running: build/1 (dev)\n");
  expect(typed.text).toContain("hello\nhello\n");
  expect(listed.text).toMatch(/^build\/1 \(dev\): /m);
});

test.skipIf(!needs("sshd", "ssh-keygen")).each(WHERE)(
  "%s, an agent learns where ssh waits for a person, cannot answer itself, and goes on after the answer",
  async (_where, flags) => {
    const ssh = await sshPlace({ hostKeys: "ask" });
    // Stops the host there at the end.
    ssh.client();
    const { cli, call } = await serve(flags, () => ({ places: { zoo: ssh.setting } }));
    const args = { command: "echo out", place: "zoo" };

    const asked = await call("run", args);
    const id = Number(/limpet attach (\d+)/.exec(asked.text)?.[1]);
    const typed = await call("write_stdin", { session_id: id, chars: "yes\n" });
    await cli.sessions.write(id, "yes\n", { by: "person" });
    const done = await call("run", args);

    expect(asked).toMatchObject({ isError: true, text: expect.stringContaining("PLACE_ASKS") });
    expect(asked.text).toContain("zoo asks for trust in its host key");
    expect(typed.isError).toBe(true);
    expect(done).toMatchObject({ isError: false, text: expect.stringContaining("out\n") });
  },
);

test.skipIf(!needs("sshd", "ssh-keygen")).each(WHERE)(
  "%s, an agent goes on after its link was cut: nothing twice, nothing missing",
  async (_where, flags) => {
    const ssh = await sshPlace();
    ssh.client();
    const { call } = await serve(flags, () => ({ places: { zoo: ssh.setting } }));
    const cut = () => {
      for (const pid of ssh.connections()) process.kill(pid, "SIGKILL");
    };
    const cmd = "stty -echo; echo ready; n=0; while read word; do n=$((n + 1)); echo said $n $word; done";
    const started = await call("exec_command", { cmd, place: "zoo", name: "it", shell: "/bin/sh", until: "ready" });
    const say = async (word: string) => {
      const { text } = await call("write_stdin", {
        session_id: "zoo/it",
        chars: `${word}\n`,
        until: "said \\d+ \\w+\n",
      });
      return /^said .*$/m.exec(text)?.[0];
    };

    const first = await say("one");
    cut();
    const second = await say("two");
    cut();
    const { text: all } = await call("read_output", { session_id: "zoo/it", grep: "^said" });
    const closed = await call("close_session", { session_id: "zoo/it" });

    expect(started.isError).toBe(false);
    expect([first, second]).toEqual(["said 1 one", "said 2 two"]);
    expect(all.match(/said \d+ \w+/g)).toEqual(["said 1 one", "said 2 two"]);
    expect(closed.isError).toBe(false);
  },
);

test.skipIf(!needs("landlock"))("the sandbox of a place holds for agents there, and not here", async () => {
  const { place, cli, call } = await serve([], ({ setting }) => ({
    places: { build: { ...setting, sandbox: "read-only" } },
  }));

  const far = await call("exec_command", { cmd: "echo x >made; echo code $?", place: "build" });
  const near = await call("exec_command", { cmd: "echo x >made; echo code $?", workdir: cli.folder });

  expect(far.text).toMatch(/code [12]\n/);
  expect(near.text).toContain("code 0\n");
  expect([existsSync(join(place.home, "made")), existsSync(join(cli.folder, "made"))]).toEqual([false, true]);
});

test("resources of a session at a place are listed and read", async () => {
  const { client, call } = await serve(["--in-process"], build);
  await call("exec_command", { cmd: "echo there; exec cat", place: "build", yield_time_ms: 60_000 });
  const uri = "limpet://sessions/build%2F1/output";

  await until(async () => (await client.listResources()).resources.some((each) => each.uri === uri), "it is listed");
  const { contents } = await client.readResource({ uri });

  expect(contents).toMatchObject([{ uri, text: "there\n" }]);
});

test("a rule of this machine asks about a command at a place, and the approval holds for that place only", async () => {
  const policy = { rules: [{ prefix: ["rm"], decision: "ask" }] };
  const { cli, place, call } = await serve([], (at) => ({ ...build(at), policy }));
  writeFileSync(join(place.home, "old"), "");
  const args = { cmd: "rm old", place: "build" };

  const asked = await call("exec_command", args);
  const shown = await cli.limpet(["approvals"]);
  const approved = await cli.limpet(["approve", "1"]);
  const here = await call("exec_command", { cmd: "rm old" });
  const done = await call("exec_command", args);
  const again = await call("exec_command", args);

  expect(asked.text).toContain("APPROVAL_NEEDED");
  expect(shown.stdout).toContain("Place:     build\n");
  expect(approved.code).toBe(0);
  expect(here.text).toContain("APPROVAL_NEEDED");
  expect(done.text).toContain("Process exited with code 0, session ID build/1");
  expect(again.text).toContain("APPROVAL_NEEDED");
});

test("the audit here has a line for each act at a place, with the place and without what was typed", async () => {
  const { cli, call } = await serve([], build);
  await call("exec_command", { cmd: "exec cat", place: "build", yield_time_ms: 0 });
  await call("write_stdin", { session_id: "build/1", chars: "very private\n", until: "private" });
  await call("run", { command: "true", place: "build" });
  await call("close_session", { session_id: "build/1" });
  const file = join(cli.env["LIMPET_HOME"] as string, "audit.log");
  const lines = () => {
    const all = readFileSync(file, "utf8").split("\n").slice(0, -1);
    return all.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line["place"] === "build");
  };

  await expect.poll(() => lines().map(({ event }) => event)).toEqual(["start", "typed", "run", "close"]);
  expect(lines()).toMatchObject([
    { tool: "exec_command", command: "exec cat" },
    { tool: "write_stdin", session: 1, bytes: 13 },
    { tool: "run", command: "true" },
    { tool: "close_session", session: 1 },
  ]);
  expect(readFileSync(file, "utf8")).not.toContain("very private");
  expect((await cli.limpet(["audit"])).stdout).toContain('start at build: "exec cat"');
});
