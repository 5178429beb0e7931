import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";

let cli: Cli;
let userFile: string;
beforeEach(() => {
  cli = openCli();
  userFile = join(cli.folder, "config", "limpet", "policy.json");
  mkdirSync(join(cli.folder, "config", "limpet"), { recursive: true });
});
afterEach(() => cli[Symbol.asyncDispose]());

const RULES = `{
  // no deleting
  "rules": [
    { "prefix": ["echo"], "decision": "allow" },
    { "prefix": ["rm"], "decision": "deny", "why": "Keep it.", "match": ["rm x"] }
  ]
}
`;

test("check prints the parse, what applied, and the verdict", async () => {
  writeFileSync(userFile, RULES);

  const { code, stdout } = await cli.limpet(["policy", "check", "echo a; bash -c 'rm x'"]);

  expect(code).toBe(1);
  expect(stdout.replaceAll(userFile, "FILE")).toBe(`Commands:
  echo a
  bash -c rm x
  rm x  (run by bash -c 'rm x')

Applied:
  deny   rm x
         FILE:5: Keep it.
  ask    bash -c 'rm x'
         FILE:5: Whether the rule applies is known only when it runs.
  ask    bash -c 'rm x'
         default of FILE: No rule covers it.
  ask    bash -c 'rm x'
         caution wrapper: It runs another program.
  allow  echo a
         FILE:4: The rule says allow.

Verdict: deny
`);
});

test("check exits with 0 for what is allowed, and has the same as JSON", async () => {
  writeFileSync(userFile, RULES);

  const report = (await cli.json("policy", "check", "echo a")) as { decision: string; commands: unknown[] };

  expect(report.decision).toBe("allow");
  expect(report.commands).toHaveLength(1);
});

test("check takes a program with arguments, another shell, and input", async () => {
  writeFileSync(userFile, RULES);
  const verdict = async (...words: string[]) =>
    (await cli.limpet(["policy", "check", ...words])).stdout.trim().split("\n").at(-1);

  expect(await verdict("echo", "$(rm x)")).toBe("Verdict: allow");
  expect(await verdict("--shell", "zsh", "=rm x")).toBe("Verdict: ask");
  expect(await verdict("--input", "bash", "ls")).toBe("Verdict: ask");
});

test("invisible characters in a command are shown", async () => {
  writeFileSync(userFile, RULES);

  const { stdout } = await cli.limpet(["policy", "check", "r\u200bm x"]);

  expect(stdout).toContain("r⟨U+200B⟩m x");
  expect(stdout).not.toContain("\u200b");
});

test("without a file everything is allowed", async () => {
  const { code, stdout } = await cli.limpet(["policy", "check", "rm x"]);

  expect(stdout).toContain("There is no policy file, so everything is allowed.\nVerdict: allow\n");
  expect(code).toBe(0);
});

test.each([
  ['{\n  "rules": [}', "Line 2 is not valid JSON (value expected)"],
  ['{\n\n  "rulez": []\n}', 'Line 3 has an unknown setting "rulez"'],
  ['{ "rules": [{ "prefix": ["rm"], "decision": "deny", "match": ["ls"] }] }', "does not apply to its example"],
])("a file with a mistake is an error with its line: %j", async (text, message) => {
  writeFileSync(userFile, text);

  for (const action of [["check", "ls"], ["show"], ["test"]]) {
    const { code, stderr } = await cli.limpet(["policy", ...action]);

    expect(stderr).toContain(`BAD_POLICY: ${userFile}: `);
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  }
});

test("a project's file narrows, and does not widen", async () => {
  writeFileSync(userFile, RULES);
  const project = join(cli.folder, ".limpet.policy.json");
  writeFileSync(
    project,
    '{ "rules": [{ "prefix": ["ls"], "decision": "allow" }, { "prefix": ["echo"], "decision": "deny" }] }',
  );
  const verdict = async (command: string) =>
    (await cli.limpet(["policy", "check", command])).stdout.trim().split("\n").at(-1);

  expect(await verdict("ls")).toBe("Verdict: ask");
  expect(await verdict("echo a")).toBe("Verdict: deny");
});

test("init writes a preset once, and show and test read it", async () => {
  const first = await cli.limpet(["policy", "init", "--preset", "careful"]);
  const second = await cli.limpet(["policy", "init", "--preset", "careful"]);
  const forced = await cli.limpet(["policy", "init", "--preset", "read-only", "--force"]);
  const shown = await cli.limpet(["policy", "show"]);
  const tested = await cli.limpet(["policy", "test"]);

  expect(first.stdout).toContain(`Wrote ${userFile}`);
  expect(second.stderr).toContain("already exists. Give --force to replace it.");
  expect(second.code).toBe(2);
  expect(forced.code).toBe(0);
  expect(shown.stdout).toContain("otherwise: deny");
  expect(tested.stdout).toMatch(/: 8 rules, \d+ examples pass\n$/);
});

test("an unknown preset or action is refused", async () => {
  const preset = await cli.limpet(["policy", "init", "--preset", "wild"]);
  const action = await cli.limpet(["policy", "allow"]);

  expect(preset.stderr).toContain('Unknown preset "wild". Give --preset one of: read-only, careful.');
  expect(action.stderr).toContain('limpet policy has no action "allow". Use one of: check, show, test, init, import.');
  expect(existsSync(userFile)).toBe(false);
});

test("import claude prints rules, and --write adds them and keeps the comments", async () => {
  writeFileSync(userFile, RULES);
  const settings = join(cli.folder, "settings.json");
  writeFileSync(settings, '{ "permissions": { "allow": ["Bash(git diff:*)", "Read(*)"] } }');

  const printed = await cli.limpet(["policy", "import", "claude", settings]);
  const written = await cli.limpet(["policy", "import", "claude", settings, "--write"]);
  const tested = await cli.limpet(["policy", "test"]);

  expect(printed.stdout).toContain('// allow "Read(*)" was skipped: it is about another tool.');
  expect(written.stdout).toContain(`Added 1 rules from ${settings} to ${userFile}.`);
  expect(readFileSync(userFile, "utf8")).toContain("// no deleting");
  expect(tested.stdout).toContain("3 rules, 1 example passes");
});

test("import codex reads the usual file, and refuses one that it cannot read", async () => {
  const home = join(cli.folder, "codex");
  mkdirSync(join(home, "rules"), { recursive: true });
  const file = join(home, "rules", "default.rules");
  const run = () => cli.limpet(["policy", "import", "codex", "--write"], "", { CODEX_HOME: home });

  const missing = await run();
  writeFileSync(file, 'prefix_rule(pattern = ["git", "push"], decision = "forbidden")\n');
  const written = await run();
  const checked = await cli.limpet(["policy", "check", "git push"]);
  writeFileSync(file, "x = 1\n");
  const broken = await run();

  expect(missing.stderr).toContain(`${file} does not exist. Name the file to import.`);
  expect(written.code).toBe(0);
  expect(checked.stdout).toContain("Verdict: deny");
  expect(broken.stderr).toContain(`BAD_POLICY: ${file}: Line 1 has something other`);
});

test("the help has examples", async () => {
  const { stdout } = await cli.limpet(["policy", "--help"]);

  expect(stdout).toContain("limpet policy import claude --write");
});
