/** Whose sessions they are, with real servers and a real host: projects apart, conversations resumed. */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readRecords } from "../../../src/host/state/session-record.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, hostPids } from "../../support/host/host.ts";
import { RawClient } from "../../support/mcp.ts";
import { until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };

/** A folder with a repository in it. */
function project(): string {
  const folder = realpathSync(temporaryDirectory());
  for (const name of [".git", "src"]) mkdirSync(join(folder, name));
  return folder;
}

interface Agent {
  readonly server: RawClient;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the fields of its own tool.
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; structured: any }>;
  kill(): Promise<void>;
}

interface Where {
  readonly state: string;
  readonly cwd: string;
  readonly name?: string;
  readonly args?: readonly string[];
}

async function startAgent({ state, cwd, name = "agent", args = [] }: Where): Promise<Agent> {
  const server = new RawClient(["--state", state, ...args], { where: "host", cwd });
  onTestFinished(() => endProcess(server.child.pid ?? 0));
  await server.initialize(name);
  return {
    server,
    async call(tool, given = {}) {
      const { result } = await server.tool(crypto.randomUUID(), tool, given);
      const [content] = (result?.["content"] ?? []) as { text: string }[];
      return { text: content?.text ?? "", structured: result?.["structuredContent"] };
    },
    async kill() {
      server.child.kill("SIGKILL");
      await server.ended;
    },
  };
}

/** The host has noticed that no server is connected any more. */
async function untilAlone(state: string): Promise<void> {
  const host = hostAt(state);
  await until(async () => (await host.hostStatus())?.clients === 1, "the host has no other client");
  host.disconnect();
}

test.each(["killed", "ended"] as const)(
  "a conversation whose server was %s goes on with its shell and its place in the output",
  async (how) => {
    const [state, cwd] = [hostDirectory(), project()];
    const first = await startAgent({ state, cwd });
    const talker = 'stty -echo; echo ready; while read line; do echo "said $line"; done';
    await first.call("exec_command", { cmd: talker, name: "talker", until: "ready\n", ...plain });
    await first.call("run", { command: "cd src; export token=kept; greet() { echo hello; }" });
    const { structured: before } = await first.call("run", { command: "echo old output" });

    if (how === "killed") await first.kill();
    else await first.server[Symbol.asyncDispose]();
    await untilAlone(state);
    const host = hostAt(state);
    await host.write(before.session_id - 1, "meanwhile\n");

    const second = await startAgent({ state, cwd: join(cwd, "src") });
    const { structured: after } = await second.call("run", { command: "pwd; echo $token; greet" });
    const unread = await second.call("write_stdin", {
      session_id: "talker",
      until: "said .*\n",
      yield_time_ms: 10_000,
    });

    expect(after).toMatchObject({
      session_id: before.session_id,
      output: `${join(cwd, "src")}\nkept\nhello\n`,
      background_output: "",
    });
    expect(unread.structured.output).toBe("said meanwhile\n");
  },
);

test("servers of one name that run at once in one project are apart, also after both were killed", async () => {
  const [state, cwd] = [hostDirectory(), project()];
  const first = [await startAgent({ state, cwd }), await startAgent({ state, cwd })] as const;
  for (const [index, agent] of first.entries()) await agent.call("run", { command: `who=${index}` });
  for (const agent of first) await agent.kill();
  await untilAlone(state);

  const second = [await startAgent({ state, cwd }), await startAgent({ state, cwd })] as const;
  const answers = [];
  for (const agent of second) answers.push((await agent.call("run", { command: "echo $who" })).structured);

  expect(answers.map(({ shell, output }) => [shell, output])).toEqual([
    ["default", "0\n"],
    ["default-2", "1\n"],
  ]);
});

test("servers of one name in two projects share nothing but the host", async () => {
  const state = hostDirectory();
  const api = await startAgent({ state, cwd: project() });
  const web = await startAgent({ state, cwd: project() });
  await api.call("run", { command: "mine=1" });
  await api.call("exec_command", { cmd: "exec sleep 1000", name: "server", yield_time_ms: 0, ...plain });

  const ran = await web.call("run", { command: "echo mine=$mine" });
  const started = await web.call("exec_command", { cmd: "echo own", name: "server", reuse: true, ...plain });
  const listed = await web.call("list_sessions");
  const all = await web.call("list_sessions", { all: true });

  expect(ran.structured).toMatchObject({ shell: "default", output: "mine=\n" });
  expect(started.structured).toMatchObject({ reused: false, output: "own\n" });
  expect(listed.structured.sessions).toHaveLength(1);
  expect(all.structured.sessions.map(({ owner }: { owner: string }) => owner)).toEqual(["agent", "agent", "agent"]);
});

test("--caller goes on with another caller's shell, whatever the client is called", async () => {
  const [state, cwd] = [hostDirectory(), project()];
  const first = await startAgent({ state, cwd, name: "one", args: ["--caller", "shared"] });
  await first.call("run", { command: "kept=1" });
  await first.kill();
  await untilAlone(state);

  const second = await startAgent({ state, cwd, name: "other", args: ["--caller", "shared"] });

  expect((await second.call("run", { command: "echo kept=$kept" })).structured.output).toBe("kept=1\n");
});

test("a relative workdir is relative to the directory of the server", async () => {
  const [state, cwd] = [hostDirectory(), project()];
  const agent = await startAgent({ state, cwd });

  const { structured } = await agent.call("exec_command", { cmd: "pwd", workdir: "src", ...plain });

  expect(structured.output).toBe(`${join(cwd, "src")}\n`);
});

test.each(["stopped", "killed"] as const)(
  "after its host was %s, a shell starts where it was, says what is lost, and sessions keep their owners",
  async (how) => {
    const [state, cwd] = [hostDirectory(), project()];
    const agent = await startAgent({ state, cwd });
    await agent.call("run", { command: "cd src; token=lost" });
    await agent.call("exec_command", { cmd: "echo mine", name: "job", ...plain });
    const onDisk = () => readRecords(join(state, "sessions")).records.map(({ record }) => record);
    await until(() => onDisk().some(({ directory }) => directory === join(cwd, "src")), "the directory is on disk");
    await until(() => onDisk().some(({ name, end }) => name === "job" && end !== null), "the job is on disk");
    if (how === "stopped") await hostAt(state).stopHost();
    else for (const pid of hostPids(state)) endProcess(pid);
    await until(() => hostPids(state).length === 0, "the host is gone");

    const again = await startAgent({ state, cwd });
    const { structured, text } = await again.call("run", { command: "pwd; echo token=$token" });
    const { structured: listed } = await again.call("list_sessions", { ended: true });

    expect(structured.output).toBe(`${join(cwd, "src")}\ntoken=\n`);
    expect(text).toMatch(
      /^New shell in the same directory: the previous one .*; its variables, functions and jobs are lost$/m,
    );
    expect(listed.sessions.find(({ name }: { name: string }) => name === "job")).toMatchObject({
      owner: "agent",
      project: cwd,
    });
  },
);
