/** Approvals of clients that cannot ask, or may not, and what needs one. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ALLOW_ECHO, type Answer, agentOf, decide, openApproval, openWith } from "../../support/policy/asking-agent.ts";

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
