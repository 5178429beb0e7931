/** `limpet doctor` where nothing else works: it reports, and never breaks. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MAIN } from "../support/mcp.ts";
import { needs } from "../support/needs.ts";
import { temporaryDirectory } from "../support/watching.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Finding {
  readonly check: string;
  readonly verdict: string;
  readonly what: string;
  readonly meaning: string;
}

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
  });
}

function findingsOf({ stdout }: Ended): readonly Finding[] {
  return (JSON.parse(stdout) as { readonly findings: readonly Finding[] }).findings;
}

function verdictOf(ended: Ended, check: string): Finding | undefined {
  return findingsOf(ended).find((finding) => finding.check === check);
}

/** limpet as installed without its optional dependencies. */
function withoutBinding(): string {
  const place = temporaryDirectory();
  const root = dirname(dirname(dirname(MAIN)));
  cpSync(join(root, "dist"), join(place, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(place, "package.json"));
  mkdirSync(join(place, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name === "@koromix" || name.startsWith(".")) continue;
    symlinkSync(join(root, "node_modules", name), join(place, "node_modules", name));
  }
  return join(place, "dist", "bin", "main.js");
}

test("without the binding the doctor names it, and other commands report it without a stack", async () => {
  const main = withoutBinding();
  const home = temporaryDirectory();
  const env = { HOME: home, LIMPET_HOME: join(home, "state") };

  const doctor = await run(process.execPath, [main, "doctor", "--json"], env);
  const others = await Promise.all(
    [["run", "true"], ["mcp", "--in-process"], ["demo"], ["host", "run"]].map((words) =>
      run(process.execPath, [main, ...words], env),
    ),
  );

  expect(doctor.code).toBe(1);
  expect(verdictOf(doctor, "binding")).toMatchObject({
    verdict: "fail",
    what: expect.stringContaining("@koromix/koffi-"),
  });
  expect(verdictOf(doctor, "shells")).toMatchObject({ verdict: "ok" });
  for (const { code, stderr } of others) {
    expect(code).not.toBe(0);
    expect(stderr).toContain("@koromix/koffi-");
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});

test.runIf(needs("root"))("without /proc the doctor says what is lost", async () => {
  const script = 'mount -t tmpfs none /proc && exec "$@"';

  const doctor = await run("unshare", ["-m", "sh", "-c", script, "sh", process.execPath, MAIN, "doctor", "--json"]);

  expect(doctor.stderr).not.toMatch(/^\s+at /m);
  expect(verdictOf(doctor, "/proc")).toMatchObject({ verdict: "warn" });
  expect(verdictOf(doctor, "ulimit -n")).toMatchObject({ verdict: "warn" });
});

test.runIf(needs("root"))("with a home directory that is read-only the doctor says what to set", async () => {
  const home = temporaryDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", "ro,mode=700", "none", home]);
  onTestFinished(() => void execFileSync("umount", ["-l", home]));

  const doctor = await run(process.execPath, [MAIN, "doctor"], {
    HOME: home,
    LIMPET_HOME: "",
    XDG_STATE_HOME: "",
    XDG_CONFIG_HOME: "",
  });

  expect([doctor.code, doctor.stderr]).toEqual([1, ""]);
  expect(doctor.stdout).toMatch(/^fail {2}state directory .*\(EROFS\)\. Set LIMPET_HOME to a directory/m);
});

test("a mistake in config.json is a finding, and the other checks run", async () => {
  const home = temporaryDirectory();
  mkdirSync(join(home, ".config", "limpet"), { recursive: true });
  writeFileSync(join(home, ".config", "limpet", "config.json"), '{\n  "tools": "some"\n}\n');
  const env = { HOME: home, XDG_CONFIG_HOME: "", LIMPET_HOME: join(home, "state") };

  const doctor = await run(process.execPath, [MAIN, "doctor", "--json"], env);

  expect(verdictOf(doctor, "config.json")).toMatchObject({ verdict: "fail", what: expect.stringContaining("Line 2") });
  expect(verdictOf(doctor, "state directory")).toMatchObject({ verdict: "ok" });
});

test("each installed client is checked: one that can start limpet, one that cannot, one without, one that is broken", async () => {
  const home = temporaryDirectory();
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: "",
    LIMPET_HOME: join(home, "state"),
    CODEX_HOME: "",
    CLAUDE_CONFIG_DIR: "",
  };
  await run(process.execPath, [MAIN, "setup", "claude", "--write"], env);
  await run(process.execPath, [MAIN, "setup", "codex", "--write"], env);
  mkdirSync(join(home, ".cursor"));
  writeFileSync(
    join(home, ".cursor", "mcp.json"),
    JSON.stringify({ mcpServers: { limpet: { command: process.execPath, args: ["/nowhere/main.js", "mcp"] } } }),
  );
  mkdirSync(join(home, ".gemini"));
  writeFileSync(join(home, ".gemini", "settings.json"), '{ "mcpServers": {} }\n');
  mkdirSync(join(home, ".config", "opencode"), { recursive: true });
  writeFileSync(join(home, ".config", "opencode", "opencode.json"), '{\n "mcp": {\n');

  const doctor = await run(process.execPath, [MAIN, "doctor", "--json"], env);
  const clients = findingsOf(doctor).filter(({ check }) => check.startsWith("client "));

  expect(clients.map(({ check, verdict }) => [check, verdict])).toEqual([
    ["client claude", "ok"],
    ["client codex", "ok"],
    ["client gemini", "ok"],
    ["client cursor", "warn"],
    ["client opencode", "warn"],
  ]);
  expect(clients[2]?.what).toMatch(/does not list limpet$/);
  expect(clients[3]?.what).toMatch(/but \/nowhere\/main\.js does not exist$/);
  expect(clients[4]?.what).toMatch(/opencode\.json: .*Line/);
});
