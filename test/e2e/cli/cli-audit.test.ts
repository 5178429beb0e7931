/** `limpet audit`, `limpet freeze` and `limpet run --limit`, as a person uses them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";
import { until } from "../../support/sessions.ts";

let cli: Cli;
beforeAll(() => {
  cli = openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

async function auditText(...words: string[]): Promise<string> {
  const { stdout } = await cli.limpet(["audit", ...words]);
  return stdout;
}

test("audit shows what was started and how it ended, by session, caller and time", async () => {
  const { code } = await cli.limpet(["run", "exit 3"]);
  expect(code).toBe(3);
  await until(async () => (await auditText()).includes("code 3"), "the end is written");

  const text = await auditText("--since", "1h");
  expect(text).toMatch(/ start 1: "?exit 3"?/);
  expect(text).toMatch(/ ended 1: code 3 after /);
  expect(await auditText("--session", "999")).toBe("");
  expect(await auditText("--caller", "nobody")).toBe("");
  expect(await auditText("--since", "1d")).toMatch(/ ended 1: code 3 after /);
  expect(await auditText("--since", "2999-01-01")).toBe("");
  const [first] = (await auditText("--json")).split("\n");
  expect(JSON.parse(first ?? "")).toMatchObject({ n: 1, event: "start", prev: "" });
});

test("audit verify names the line that somebody changed, and compares the end with the host", async () => {
  const file = join(cli.env["LIMPET_HOME"] ?? "", "audit.log");
  await cli.limpet(["run", "true"]);
  // The last line: what the host wrote after the changes below would be found instead of them.
  await until(async () => (await auditText()).includes("ended 2"), "the end is written");
  const whole = await cli.limpet(["audit", "verify"]);
  expect(whole.stdout).toMatch(/all unchanged[\s\S]*The last line is the one that the host wrote last/);
  expect(whole.code).toBe(0);
  const before = readFileSync(file, "utf8");

  writeFileSync(file, before.replace("exit 3", "exit 4"));
  const edited = await cli.limpet(["audit", "verify"]);
  expect(edited.stdout).toMatch(/^BROKEN: audit.log line 2 does not follow line 1/);
  expect(edited.code).toBe(1);
  writeFileSync(file, `${before.split("\n").slice(0, 2).join("\n")}\n`);
  const cut = await cli.limpet(["audit", "verify"]);
  expect(cut.stdout).toMatch(/^BROKEN: audit.log line 2 is the last, but the host wrote/);
  writeFileSync(file, before);
});

test("host status names the audit, and doctor checks it", async () => {
  const status = await cli.limpet(["host", "status"]);
  expect(status.stdout).toContain(`Audit in ${join(cli.env["LIMPET_HOME"] ?? "", "audit.log")}`);
  const { stdout } = await cli.limpet(["doctor"]);
  expect(stdout).toMatch(/ok {4}audit +.*audit.log is writable/);
});

test("run --limit ends the program and names the limit", async () => {
  const { stderr, code } = await cli.limpet(["run", "--limit", "wallTime=300ms", "sleep 1000"]);

  expect(stderr).toMatch(/\(limit of wall time\)/);
  expect(code).toBeGreaterThan(128);
});

test.each([
  ["memory", '"memory" is not a limit. Use a limit such as memory=1G.'],
  ["colour=blue", 'Unknown limit "colour". Use one of: memory, processes, openFiles, cpuTime, wallTime, fileSize.'],
  ["memory=lots", '"lots" is not a limit for memory. Use a value such as 512M or 2G, at least 16M.'],
])("--limit %s is refused", async (word, message) => {
  const { stderr, code } = await cli.limpet(["run", "--limit", word, "true"]);

  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test("freeze and thaw say what they did, and ls shows it", async () => {
  const { stdout } = await cli.limpet(["start", "--name", "frozen-one", "sleep 1000"]);
  const id = stdout.trim();

  expect((await cli.limpet(["freeze", "frozen-one"])).stdout).toMatch(/^Frozen (by its control group|with SIGSTOP): /);
  expect((await cli.limpet(["ls"])).stdout).toMatch(/frozen-one +frozen/);
  expect((await cli.limpet(["brief"])).stdout).toContain("frozen by a person");
  expect((await cli.limpet(["thaw", id])).stdout).toMatch(/^Thawed: /);
  expect((await cli.limpet(["thaw", id])).stdout).toMatch(/was not frozen/);
  await cli.limpet(["freeze", id]);
  const killed = await cli.limpet(["kill", id]);
  expect(killed.code).toBe(0);
});
