/** What an agent may do only with a person's approval, from the call to the effect. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CallToolResult, Client, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, test } from "vitest";
import type { Approval } from "../../../src/service/approvals/approval.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { type Era, MAIN, textOf } from "../../support/mcp.ts";

const ALLOW_ECHO = {
  rules: [
    { prefix: ["echo"], decision: "allow" },
    { prefix: ["rm"], decision: "deny" },
  ],
};

interface Question {
  readonly message: string;
  readonly choices: readonly string[];
}

type Answer = (question: Question) => ElicitResult | Promise<ElicitResult>;

interface Agent {
  readonly client: Client;
  /** The text of an answer. */
  run(command: string, options?: { readonly signal?: AbortSignal }): Promise<string>;
  call(name: string, args: Record<string, unknown>): Promise<string>;
}

interface AgentOptions {
  readonly era?: Era;
  /** Undefined: the client cannot ask. */
  readonly answer?: Answer;
  readonly args?: readonly string[];
}

/** With a policy, and `limpet mcp` in the folder of the test. */
function openWith(policy: object = ALLOW_ECHO, config: object = {}): Cli {
  const cli = openCli();
  const folder = join(cli.folder, "config", "limpet");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "policy.json"), JSON.stringify(policy, null, 2));
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  return cli;
}

async function agentOf(cli: Cli, { era = "legacy", answer, args = [] }: AgentOptions = {}): Promise<Agent> {
  const client = new Client(
    { name: "an-agent", version: "1.0.0" },
    {
      capabilities: answer ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: era } },
    },
  );
  if (answer) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { message, requestedSchema } = params as unknown as {
        readonly message: string;
        readonly requestedSchema: {
          readonly properties: { readonly decision: { readonly oneOf: { const: string }[] } };
        };
      };
      return await answer({ message, choices: requestedSchema.properties.decision.oneOf.map((each) => each.const) });
    });
  }
  const env = { ...process.env, ...cli.env } as Record<string, string>;
  const command = { command: process.execPath, args: [MAIN, "mcp", ...args], env, cwd: cli.folder };
  await client.connect(new StdioClientTransport(command));
  cli.closeFirst(client);
  const call = async (name: string, given: Record<string, unknown>, options = {}) =>
    textOf((await client.callTool({ name, arguments: given }, options)) as CallToolResult);
  return { client, call, run: (given, options) => call("run", { command: given }, options) };
}

async function openApproval(cli: Cli): Promise<Approval> {
  await expect.poll(async () => (await cli.sessions.approvals.list()).length).toBe(1);
  const [open] = await cli.sessions.approvals.list();
  return open as Approval;
}

const decide = (decision: string): ElicitResult => ({ action: "accept", content: { decision } });

describe.each<Era>(["legacy", "2026-07-28"])("a client of the protocol %s that can ask", (era) => {
  test("asks with the whole command, and what is accepted runs once", async () => {
    await using cli = openWith();
    const asked: Question[] = [];
    const answer: Answer = (question) => {
      asked.push(question);
      return decide("once");
    };
    const agent = await agentOf(cli, { era, answer });

    expect(await agent.run("touch one # еcho")).toContain("exited with code 0");
    expect(await agent.run("touch two")).toContain("exited with code 0");

    expect(asked).toHaveLength(2);
    expect(asked[0]?.message).toContain("  | touch one # ⟨U+0435⟩cho");
    expect(asked[1]?.message).toContain(`Directory: ${cli.folder}`);
    expect(asked[1]?.message).toContain("an-agent wants to run a command with /bin/bash");
    expect(asked[1]?.choices).toEqual(["once", "session", "always", "deny"]);
    expect(["one", "two"].map((name) => existsSync(join(cli.folder, name)))).toEqual([true, true]);
    expect(await cli.sessions.approvals.list()).toEqual([]);
  });

  test.each<readonly [string, ElicitResult]>([
    ["declines", { action: "decline" }],
    ["cancels", { action: "cancel" }],
    ["denies", decide("deny")],
  ])("runs nothing when the person %s", async (_how, result) => {
    await using cli = openWith();
    const agent = await agentOf(cli, { era, answer: () => result });

    expect(await agent.run("touch never")).toMatch(/^POLICY_DENIED: Approval 1 was denied by a person in an-agent/);

    expect(existsSync(join(cli.folder, "never"))).toBe(false);
    expect(await cli.sessions.approvals.list()).toEqual([]);
  });

  test("is asked once for a session, and never again after a rule", async () => {
    await using cli = openWith();
    const answers = [decide("session"), decide("always")];
    const asked: string[] = [];
    const answer: Answer = ({ message }) => {
      asked.push(message);
      return answers[asked.length - 1] ?? decide("deny");
    };
    const agent = await agentOf(cli, { era, answer });

    for (const command of ["touch a", "touch b", "mkdir -p c", "mkdir -p c d"]) {
      expect(await agent.run(command)).toContain("exited with code 0");
    }

    expect(asked).toHaveLength(2);
    const policy = JSON.parse(readFileSync(join(cli.folder, "config/limpet/policy.json"), "utf8")) as typeof ALLOW_ECHO;
    expect(policy.rules.slice(2)).toEqual([{ prefix: ["mkdir", "-p", "c"], decision: "allow" }]);
  });

  test("asks for each of two equal calls at once, and one approval runs one of them", async () => {
    await using cli = openWith();
    let count = 0;
    const answer: Answer = () => {
      count += 1;
      return decide(count === 1 ? "once" : "deny");
    };
    const agent = await agentOf(cli, { era, answer });

    const command = { cmd: "touch x; printf ran >> log", login: false };
    const answers = await Promise.all([1, 2].map(() => agent.call("exec_command", command)));

    expect(answers.filter((text) => text.startsWith("POLICY_DENIED"))).toHaveLength(1);
    expect(readFileSync(join(cli.folder, "log"), "utf8")).toBe("ran");
  });
});

test("a client that disconnects while it asks leaves nothing that runs", async () => {
  await using cli = openWith();
  const agent = await agentOf(cli, { answer: () => new Promise<never>(() => undefined) });
  const running = agent.run("touch never").catch(() => "gone");
  const { number } = await openApproval(cli);

  await agent.client.close();
  await running;
  await cli.limpet(["approve", String(number)]);

  expect(existsSync(join(cli.folder, "never"))).toBe(false);
});

test("a cancelled call withdraws its question", async () => {
  await using cli = openWith();
  const agent = await agentOf(cli, { answer: () => new Promise<never>(() => undefined) });
  const stop = new AbortController();
  const running = agent.run("touch never", { signal: stop.signal }).catch(() => "cancelled");
  const { number } = await openApproval(cli);

  stop.abort();

  expect(await running).toBe("cancelled");
  await expect.poll(() => cli.sessions.approvals.list()).toEqual([]);
  expect(await cli.limpet(["approve", String(number)])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("was withdrawn"),
  });
  expect(existsSync(join(cli.folder, "never"))).toBe(false);
});

test("a person at the command line can decide while the client asks", async () => {
  await using cli = openWith();
  const agent = await agentOf(cli, { answer: () => new Promise<never>(() => undefined) });
  const running = agent.run("touch decided");
  const { number } = await openApproval(cli);

  expect(await cli.limpet(["approve", String(number)])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("  | touch decided"),
  });

  expect(await running).toContain("exited with code 0");
  expect(existsSync(join(cli.folder, "decided"))).toBe(true);
});

describe("a client that cannot ask", () => {
  test("is told how a person approves, waits, and repeats the call", async () => {
    await using cli = openWith();
    const agent = await agentOf(cli);

    const refused = await agent.run("touch later");
    expect(refused).toMatch(/^APPROVAL_NEEDED: Nothing was run: .*limpet approve 1.*wait_for\(approval=1\)/);
    expect(await agent.run("touch later")).toBe(refused);
    const waiting = agent.call("wait_for", { approval: 1 });
    expect((await cli.limpet(["approvals"])).stdout).toContain("  | touch later");
    await cli.limpet(["approve", "1"]);

    expect(await waiting).toBe("Approval 1 was approved by person. Repeat the call now.");
    expect(await agent.run("touch later")).toContain("exited with code 0");
    expect(await agent.run("touch later")).toContain("APPROVAL_NEEDED");
  });

  test("is told why a person denied it", async () => {
    await using cli = openWith();
    const agent = await agentOf(cli);
    await agent.run("touch later");

    await cli.limpet(["deny", "1", "--reason", "use mktemp"]);

    expect(await agent.call("wait_for", { approval: 1 })).toContain('was denied by person: "use mktemp"');
    expect(await agent.run("touch later")).toContain('POLICY_DENIED: Approval 1 was denied by person: "use mktemp"');
  });

  test("is denied when nobody decides in time", async () => {
    await using cli = openWith(ALLOW_ECHO, { approvalTimeout: "300ms" });
    const agent = await agentOf(cli);
    await agent.run("touch later");

    expect(await agent.call("wait_for", { approval: 1 })).toContain("was not decided or not used in time");
    expect((await cli.limpet(["approve", "1"])).stderr).toContain("was not decided or not used in time");
    expect(await agent.run("touch later")).toContain('Tell the person to run "limpet approve 2"');
    expect(existsSync(join(cli.folder, "later"))).toBe(false);
  });

  test("is allowed what a rule allows, and never what one denies", async () => {
    await using cli = openWith();
    const agent = await agentOf(cli);

    expect(await agent.run("echo hello")).toContain("hello");
    expect(await agent.run("rm x")).toMatch(
      /^POLICY_DENIED: The policy denies this, so nothing was run: .*policy\.json:\d+\): rm x/,
    );
    expect(await agent.call("list_sessions", {})).toContain("default");
  });

  test("finds its approval again after its server was restarted", async () => {
    await using cli = openWith();
    const first = await agentOf(cli);
    await first.run("touch later");
    await cli.limpet(["approve", "1"]);
    await first.client.close();

    expect(await (await agentOf(cli)).run("touch later")).toContain("exited with code 0");
  });
});

test("approval: person takes no answer of the client", async () => {
  await using cli = openWith(ALLOW_ECHO, { approval: "person" });
  const asked: string[] = [];
  const answer: Answer = ({ message }) => {
    asked.push(message);
    return decide("once");
  };
  const agent = await agentOf(cli, { answer });

  expect(await agent.run("touch x")).toContain("APPROVAL_NEEDED");
  expect(asked).toEqual([]);
});

test("without a host only the client can ask, and the answer says so", async () => {
  await using cli = openWith();
  const [plain, asking] = [
    await agentOf(cli, { args: ["--in-process"] }),
    await agentOf(cli, { args: ["--in-process"], answer: () => decide("once") }),
  ];

  expect(await plain.run("touch x")).toMatch(/^APPROVAL_NEEDED: .*this client cannot ask a person.*not in a host/);
  expect(await asking.run("touch x")).toContain("exited with code 0");
});

test("every profile asks", async () => {
  await using cli = openWith();
  const codex = await agentOf(cli, { args: ["--tools", "codex"], answer: () => ({ action: "decline" }) });
  const unified = await agentOf(cli, { args: ["--tools", "unified"], answer: () => ({ action: "decline" }) });

  expect(await codex.call("exec_command", { cmd: "touch x" })).toContain("was denied by a person in an-agent");
  expect(await unified.call("unified_exec", { cmd: "touch x" })).toContain("was denied by a person in an-agent");
  expect(existsSync(join(cli.folder, "x"))).toBe(false);
});

test("what is typed into a program needs approval, an interrupt and reading do not", async () => {
  await using cli = openWith({ ...ALLOW_ECHO, rules: [...ALLOW_ECHO.rules, { prefix: ["cat"], decision: "allow" }] });
  const agent = await agentOf(cli);
  // Returns when it waits for input. Before that, the program is the shell that starts it.
  await agent.call("exec_command", { cmd: "cat", login: false, name: "cat" });

  expect(await agent.call("write_stdin", { session_id: "cat", chars: "rm x\n" })).toMatch(/^APPROVAL_NEEDED/);
  expect((await openApproval(cli)).act).toMatchObject({ kind: "input", text: "rm x\n", program: "cat" });
  expect(await agent.call("read_output", { session_id: "cat" })).not.toContain("APPROVAL_NEEDED");
  expect(await agent.call("write_stdin", { session_id: "cat", chars: "\u0003" })).toContain("SIGINT");
});

test("what is typed at the prompt of a shell is a command", async () => {
  await using cli = openWith({ ...ALLOW_ECHO, rules: [...ALLOW_ECHO.rules, { prefix: ["true"], decision: "allow" }] });
  const agent = await agentOf(cli);
  await agent.run("true");

  const typed = { session_id: "default", chars: "echo typed\n", until: "typed\\ntyped\\n" };
  expect(await agent.call("write_stdin", typed)).toContain("typed\ntyped\n");
  expect(await agent.call("write_stdin", { session_id: "default", chars: "rm x\n" })).toMatch(/^POLICY_DENIED/);
  expect(await agent.call("write_stdin", { session_id: "default", chars: "ec" })).toMatch(/^APPROVAL_NEEDED/);
});

test("a mistake in policy.json stops every command until it is mended", async () => {
  await using cli = openWith();
  const file = join(cli.folder, "config", "limpet", "policy.json");
  const agent = await agentOf(cli);
  expect(await agent.run("echo one")).toContain("exited with code 0");

  writeFileSync(file, '{\n  "rules": [{ "prefix": ["echo"], "decision": "maybe" }]\n}\n');
  const refused = await agent.run("echo two > ran");

  expect(refused).toMatch(/policy\.json/);
  expect(refused).toMatch(/[Ll]ine 2/);
  expect(existsSync(join(cli.folder, "ran"))).toBe(false);
  writeFileSync(file, JSON.stringify(ALLOW_ECHO));
  expect(await agent.run("echo three")).toContain("exited with code 0");
});
