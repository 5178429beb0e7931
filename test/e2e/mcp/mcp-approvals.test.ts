/** What an agent may do only with a person's approval, from the call to the effect. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import type { Era } from "../../support/mcp.ts";
import {
  type ALLOW_ECHO,
  type Answer,
  agentOf,
  decide,
  openApproval,
  openWith,
  type Question,
} from "../../support/policy/asking-agent.ts";

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
