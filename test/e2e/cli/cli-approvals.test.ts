/** How a person learns of what agents want to do, and decides. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";
import { MAIN } from "../../support/mcp.ts";
import { approvalAsk } from "../../support/policy/approvals.ts";
import { startTmux } from "../../support/screen/tmux.ts";
import { until } from "../../support/sessions.ts";

function follow(cli: Cli, ...words: string[]): { readonly child: ChildProcess; readonly lines: string[] } {
  const env = { ...process.env, ...cli.env };
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  cli.closeFirst(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  return { child, lines };
}

test("approvals lists what is open, and --watch prints each request once", async () => {
  await using cli = openCli();
  expect((await cli.limpet(["approvals"])).stdout).toBe("Nothing waits for approval.\n");
  await cli.sessions.approvals.ask(approvalAsk("git push \u202eorigin"));
  const { lines } = follow(cli, "approvals", "--watch", "--json");
  await expect.poll(() => lines.length).toBe(1);

  const publish = { prefixes: [["npm", "publish"]] };
  await cli.sessions.approvals.ask(approvalAsk("npm publish", publish));
  await cli.sessions.approvals.ask(approvalAsk("npm publish", publish));

  await expect.poll(() => lines.map((line) => (JSON.parse(line) as { number: number }).number)).toEqual([1, 2]);
  const { stdout } = await cli.limpet(["approvals"]);
  expect(stdout).toContain(
    "Approval 1: agent (claude-code) wants to run a command with /bin/bash:\n\n  | git push ⟨U+202E⟩origin\n",
  );
  expect(stdout).toContain("Decide:    limpet approve 1 [--session] or limpet deny 1, within 10 min");
  expect(stdout).toContain("Decide:    limpet approve 2 [--session|--always] or limpet deny 2, within 10 min");
  expect((await cli.limpet(["brief"])).stdout).toContain(
    '2 waiting for approval: 1 "git push \\u202eorigin" and 1 more',
  );
});

test("a decision is made once, and --always needs something that a rule can say", async () => {
  await using cli = openCli();
  const { approvals } = cli.sessions;
  for (const text of ["one", "two", "three"]) await approvals.ask(approvalAsk(text));

  expect((await cli.limpet(["approve", "1", "--session"])).stdout).toMatch(/^Approved 1 for this session: agent /);
  expect((await cli.limpet(["deny", "1"])).stderr).toContain("Approval 1 was approved by person for this session");
  expect((await cli.limpet(["approve", "2", "--always"])).stderr).toContain("A prefix rule cannot allow approval 2");
  expect(await cli.json("deny", "2", "--reason", "no")).toMatchObject({ state: { kind: "denied", reason: "no" } });
  expect((await cli.limpet(["approve", "9"])).stderr).toContain("Approval 9 does not exist");
  expect(await approvals.list()).toMatchObject([{ number: 3 }]);
});

test("approve --always adds a rule to the person's own file and leaves the rest of it alone", async () => {
  await using cli = openCli();
  const folder = join(cli.folder, "config", "limpet");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "policy.json");
  writeFileSync(file, '{\n  // mine\n  "rules": [\n    { "prefix": ["ls"], "decision": "allow" }\n  ]\n}\n');
  await cli.sessions.approvals.ask(approvalAsk("git push", { prefixes: [["git", "push"]] }));

  expect(await cli.limpet(["approve", "1", "--always"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(file),
  });

  const text = readFileSync(file, "utf8");
  expect(text).toContain("  // mine\n");
  expect(JSON.parse(text.replace("// mine", ""))).toEqual({
    rules: [
      { prefix: ["ls"], decision: "allow" },
      { prefix: ["git", "push"], decision: "allow" },
    ],
  });
});

test("watch and a hook report a request", async () => {
  await using cli = openCli();
  const folder = join(cli.folder, "config", "limpet");
  mkdirSync(folder, { recursive: true });
  const seen = join(cli.folder, "seen");
  writeFileSync(join(folder, "config.json"), JSON.stringify({ hooks: { approval: `cat > ${seen}` } }));
  // Starts the host with the configuration of the test.
  await cli.limpet(["ls"]);
  const { lines } = follow(cli, "watch", "--only", "approval");

  let asked = 0;
  const isReported = async () => {
    asked += 1;
    const { number } = await cli.sessions.approvals.ask(approvalAsk(`git push ${asked}`));
    await cli.sessions.approvals.decide(number, { kind: "deny", reason: null, by: "person" });
    return lines.length > 0;
  };
  await until(isReported, "limpet watch reports a request");

  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d approval \d+ needed by claude-code in \/tmp: "git push \d+"$/);
  await expect.poll(() => existsSync(seen) && readFileSync(seen, "utf8")).toContain('"kind":"approval"');
});

test("top shows the whole command before it can be approved", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open({ cols: 80, rows: 12 });
  const { approvals } = cli.sessions;
  const long = Array.from({ length: 20 }, (_, index) => `echo ${index}`).join("\n");
  await approvals.ask(approvalAsk(`${long}\nrm -rf build`));
  await approvals.ask(approvalAsk("git push"));

  pane.run(`clear; ${cli.command} top; echo code=$?`);
  await pane.shows("2 to approve (A)");
  pane.type("A");
  await pane.shows("Space shows more; then decide");
  pane.type("y");
  await pane.shows("| echo 0");
  expect(await approvals.list()).toHaveLength(2);
  pane.type("   ");
  await pane.shows("| rm -rf build");
  await pane.shows("y allow once  s for this session  n deny  Esc back");
  pane.type("y");
  await pane.shows("Approved 1.");
  pane.type("A");
  await pane.shows("| git push");
  pane.type("n");
  await pane.shows("Denied 2.");
  expect(await approvals.list()).toEqual([]);
  pane.type("q");
  await pane.shows("code=0");
});
