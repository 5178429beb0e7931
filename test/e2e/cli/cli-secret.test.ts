import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOutput } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { MAIN, textOf } from "../../support/mcp.ts";
import { filesBelow } from "../../support/secrets.ts";
import { outputHas } from "../../support/sessions.ts";
import { open } from "../../support/watching.ts";

const SECRET = "open sesame 42";
let cli: Cli;
let config: string;
beforeAll(() => {
  cli = openCli();
  config = join(cli.env["XDG_CONFIG_HOME"] ?? "", "limpet");
  mkdirSync(config, { recursive: true });
});
afterAll(() => cli[Symbol.asyncDispose]());

/** The id of a session that asks for a password. */
async function asking(): Promise<string> {
  const cmd = 'read -rsp "Password: " p; echo; echo "got <$p>"; sleep 600';
  const { stdout } = await cli.limpet(["start", cmd]);
  await cli.limpet(["wait", stdout.trim()]);
  return stdout.trim();
}

test("a secret is stored from a pipe, listed without its value, tested and removed", async () => {
  expect(await cli.limpet(["secret", "set", "door"], `${SECRET}\n`)).toMatchObject({
    code: 0,
    stdout: "Stored door. Agents can use it by name, and do not see it.\n",
  });
  expect(statSync(join(config, "secrets/door")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(config, "secrets/door"), "utf8")).toBe(SECRET);
  expect(await cli.json("secret", "ls")).toEqual([{ name: "door", from: "store" }]);
  expect((await cli.limpet(["secret", "test", "door"])).stdout).toBe("door can be read.\n");
  expect((await cli.limpet(["secret", "rm", "door"])).stdout).toBe("Removed door.\n");
  expect((await cli.limpet(["secret", "ls"])).stdout).toContain("There are no secrets.");
});

test.each([
  [["set", "x"], "abc", /fewer than 4 bytes/],
  [["set", "x"], "", /is empty/],
  [["set", "../x"], "abcdef", /is not the name of a secret/],
  [["set"], "abcdef", /The name is missing/],
  [["rm", "nope"], "", /Unknown secret nope/],
  [["test", "nope"], "", /Unknown secret nope/],
  [["show", "x"], "", /limpet secret has no action "show"/],
])("limpet secret %j is refused", async (words, input, message) => {
  const { code, stderr } = await cli.limpet(["secret", ...words], input);

  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
});

test("a secret of config.json is listed and tested, and not overwritten", async () => {
  const file = join(config, "config.json");
  writeFileSync(file, JSON.stringify({ secrets: { made: { command: ["echo", SECRET] } } }));

  expect((await cli.limpet(["secret", "ls"])).stdout).toMatch(/made +a command in config.json/);
  expect((await cli.limpet(["secret", "test", "made"])).stdout).toBe("made can be read.\n");
  expect((await cli.limpet(["secret", "set", "made"], SECRET)).stderr).toContain("made comes from a command");

  writeFileSync(file, JSON.stringify({ secrets: { made: { command: "echo" } } }));
  expect((await cli.limpet(["secret", "ls"])).stderr).toContain('Line 1 has a bad secret "made"');
  writeFileSync(file, "{}");
});

test("a program of a person gets a secret as a variable, and prints a mask", async () => {
  await cli.limpet(["secret", "set", "door"], SECRET);

  const { stdout } = await cli.limpet(["run", "--secret-env", "KEY=door", 'echo "${#KEY} $KEY"']);

  expect(stdout).toBe(`${SECRET.length} ${"*".repeat(SECRET.length)}\n`);
});

test("limpet answer types at the prompt what comes on stdin", async () => {
  const id = await asking();

  const { stdout, code } = await cli.limpet(["answer", id], "a typed password\n");

  expect([code, stdout]).toEqual([0, `Answered the prompt of session ${id}.\n`]);
  await cli.limpet(["wait", id, "--until", "got"]);
  const { text } = await readOutput(cli.sessions, Number(id), { kind: "text" });
  expect(text).toContain(`got <${"*".repeat("a typed password".length)}>`);
  expect((await cli.limpet(["answer", id], "again\n")).stderr).toContain("is not waiting for a password");
});

/** In a terminal of limpet's that does not look like one: there, an agent could type. */
async function answerInTerminal(id: string) {
  const args = ["-u", "LIMPET_SESSION_MARK", "-u", "LIMPET_SESSION_ID", process.execPath, MAIN, "answer", id];
  return await open({ program: "env", args, env: cli.env });
}

test("in a terminal it asks, and shows nothing of what is typed", async () => {
  const id = await asking();
  const person = await answerInTerminal(id);

  await outputHas(person, `Password for session ${id}: `);
  await expect.poll(() => person.terminalMode).toEqual({ isCanonical: false, isEchoing: false });
  await person.write("wrogn\x7f\x7fng one\x15the right one\r");
  await person.exited;

  expect((await person.text()).text).toBe(`Password for session ${id}: \nAnswered the prompt of session ${id}.\n`);
  await cli.limpet(["wait", id, "--until", "got"]);
  const { text } = await readOutput(cli.sessions, Number(id), { kind: "text" });
  expect(text).toContain(`got <${"*".repeat("the right one".length)}>`);
});

test("Ctrl+C leaves the prompt as it is", async () => {
  const id = await asking();
  const person = await answerInTerminal(id);
  await outputHas(person, "Password for");
  await expect.poll(() => person.terminalMode?.isEchoing).toBe(false);

  await person.write("half a pass\x03");

  expect(await person.exited).toEqual({ kind: "code", code: 130 });
  expect(await cli.sessions.passwordPrompt(Number(id))).not.toBe(null);
});

test.each([["secret ls"], ["secret set x"], ["answer 1"]])("inside a session, limpet %s is refused", async (words) => {
  const { stdout, stderr } = await cli.limpet(["run", `echo abcdef | ${cli.command} ${words}`]);

  expect(stdout + stderr).toMatch(/limpet (secret|answer) is for people, and this command runs inside session \d+\./);
});

test("what a person has typed is in no file of the host", () => {
  const texts = filesBelow(cli.env["LIMPET_HOME"] ?? "").map(({ text }) => text);

  expect(texts.length).toBeGreaterThan(3);
  for (const value of [SECRET, "a typed password", "the right one"]) {
    expect(texts.filter((text) => text.includes(value))).toEqual([]);
  }
});

test("a program in a sandbox cannot read stored secrets", async () => {
  await cli.limpet(["secret", "set", "door"], SECRET);
  const project = join(cli.folder, "project");
  mkdirSync(project, { recursive: true });
  const read = `cat ${join(config, "secrets/door")} && echo has read`;

  const { stdout } = await cli.limpet(["run", "--sandbox", "read-only", "--cwd", project, read]);

  expect(stdout).toMatch(/Permission denied/);
  expect(stdout).not.toContain("has read");
});

test("with secretJournals none, the output of a session with secrets is in memory only", async () => {
  writeFileSync(join(config, "config.json"), '{ "secretJournals": "none" }');
  const { stdout } = await cli.limpet(["start", "--secret-env", "KEY=door", "echo printed by it; exec sleep 600"]);
  const plain = await cli.limpet(["start", "echo printed by another; exec sleep 600"]);
  for (const id of [stdout, plain.stdout]) await cli.limpet(["wait", id.trim(), "--until", "printed by"]);

  const journals = () => filesBelow(cli.env["LIMPET_HOME"] ?? "").filter(({ path }) => path.endsWith(".journal"));
  await expect.poll(() => journals().some(({ text }) => text.includes("printed by another"))).toBe(true);
  expect(journals().filter(({ text }) => text.includes("printed by it"))).toEqual([]);
  expect((await cli.limpet(["logs", stdout.trim()])).stdout).toBe("printed by it\n");
  writeFileSync(join(config, "config.json"), "{}");
});

test("with redact.patterns, an agent sees masks in place of tokens, and a person the output", async () => {
  writeFileSync(join(config, "config.json"), '{ "redact": { "patterns": true } }');
  const token = `gh${"p"}_${"aB3dE5gH7jK9mN1pQrStUvWxYz0246".repeat(2).slice(0, 36)}`;
  const client = new Client({ name: "test", version: "1.0.0" });
  const env = { ...(process.env as Record<string, string>), ...cli.env };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp"], env }));
  try {
    const printing = { name: "exec_command", arguments: { cmd: `echo token ${token}`, name: "tokens" } };
    const text = textOf((await client.callTool(printing)) as CallToolResult);

    expect(text).toContain(`token ${"*".repeat(token.length)}`);
    expect((await cli.limpet(["logs", "tokens"])).stdout).toBe(`token ${token}\n`);
  } finally {
    await client.close();
    writeFileSync(join(config, "config.json"), "{}");
  }
});
