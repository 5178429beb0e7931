import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";
import { MAIN } from "../../support/mcp.ts";
import { skipWithout } from "../../support/needs.ts";

const { setUp, tearDown } = skipWithout("landlock");

let cli: Cli;
let project: string;
setUp(() => {
  cli = openCli();
  project = join(cli.folder, "project");
  mkdirSync(project);
});
tearDown(() => cli[Symbol.asyncDispose]());

/** In the project, which does not contain the state of the host. */
function limpet(...words: readonly string[]) {
  const options = { cwd: project, env: { ...process.env, ...cli.env }, encoding: "utf8" } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, ...words], options);
  return { stdout, stderr, status };
}

test("run --sandbox workspace changes the project and nothing else", () => {
  const { stdout } = limpet("run", "--sandbox", "workspace", "touch inside; touch /tmp/limpet-outside; true");

  expect(stdout).toContain("touch: cannot touch '/tmp/limpet-outside': Permission denied");
  expect(existsSync(join(project, "inside"))).toBe(true);
});

test("with --cwd, the workspace is the project there", () => {
  const other = join(cli.folder, "other");
  mkdirSync(join(other, "below"), { recursive: true });
  mkdirSync(join(other, ".git"));

  limpet("run", "--sandbox", "workspace", "--cwd", join(other, "below"), `touch ../there; touch ${project}/here; true`);

  expect(existsSync(join(other, "there"))).toBe(true);
  expect(existsSync(join(project, "here"))).toBe(false);
});

test("the state of the host, which has its socket, cannot be read", () => {
  const { stdout } = limpet("run", "--sandbox", "workspace", `cat ${cli.env["LIMPET_HOME"]}/*`);

  expect(stdout).toMatch(/Permission denied/);
});

test("a file that runs code later is put back, and the person is told", () => {
  writeFileSync(join(project, ".envrc"), "mine");

  const { stderr } = limpet("run", "--sandbox", "workspace", "echo evil > .envrc");

  expect(stderr).toContain("[The sandbox restored .envrc, which direnv would use outside of it.");
  expect(readFileSync(join(project, ".envrc"), "utf8")).toBe("mine");
});

test("ls shows the sandbox of a session", () => {
  limpet("start", "--sandbox", "read-only", "--no-network", "cat");

  expect(limpet("ls").stdout).toMatch(/SANDBOX[\s\S]*read-only, no network/);
});

test("without a network there is none", () => {
  const { stdout } = limpet("run", "--sandbox", "read-only", "--no-network", "bash -c ': > /dev/tcp/127.0.0.1/1'");

  expect(stdout).toMatch(/Permission denied/);
});

test("a workspace that contains the state of the host is refused", async () => {
  const { stderr, code } = await cli.limpet(["run", "--sandbox", "workspace", "true"]);

  expect(stderr).toMatch(/^.*A sandbox cannot make ".*" writable, because it would expose ".*state"\. /);
  expect(code).not.toBe(0);
});

test.each([
  [["--sandbox", "strict"], 'Unknown sandbox "strict". Give --sandbox one of: read-only, workspace.'],
  [["--no-network"], "--no-network needs a sandbox. Add --sandbox workspace or --sandbox read-only."],
  [["--allow-host", "a.example"], "--allow-host needs a sandbox. Add --sandbox workspace or --sandbox read-only."],
  [
    ["--sandbox", "workspace", "--allow-host", "http://a"],
    '"http://a" is not a host for --allow-host. Use a name such as example.com, *.example.com or example.com:8443.',
  ],
  [
    ["--sandbox", "workspace", "--no-network", "--allow-host", "a.example"],
    "--no-network and --allow-host cannot be combined. Leave one of them out.",
  ],
])("%j is refused", (words, message) => {
  const { stderr, status } = limpet("run", ...words, "true");

  expect(stderr).toContain(message);
  expect(status).not.toBe(0);
});
