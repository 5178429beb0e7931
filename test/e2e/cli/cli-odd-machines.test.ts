/** The command line where something is wrong: a misspelt program, a clock that jumps, a directory of somebody else. */
import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCli } from "../../support/cli.ts";
import { needs } from "../../support/needs.ts";

const HOUR_MS = 3_600_000;

test("a program that cannot be started is refused, and one that fails at once exits with its message and code", async () => {
  await using cli = openCli();

  // On a busy machine a program may not fail at once.
  const untilRefused = async (words: readonly string[]) => {
    for (;;) {
      const tried = await cli.limpet(["start", ...words]);
      if (tried.code !== 0) return tried;
    }
  };
  const missing = await untilRefused(["nosuch", "--flag"]);
  const inShell = await untilRefused(["nosuch --flag"]);
  const failing = await untilRefused(["sh", "-c", "echo no config; exit 3"]);
  const fine = await cli.limpet(["start", "true"]);

  expect(missing.code).not.toBe(0);
  expect(missing.stderr).toContain("nosuch");
  expect(inShell.code).toBe(127);
  expect(inShell.stderr).toMatch(/nosuch: (command )?not found\n\d+ exited with code 127 at once\.\n$/);
  expect(failing.code).toBe(3);
  expect(failing.stderr).toMatch(/^no config\n\d+ exited with code 3 at once\.\n$/);
  expect([fine.code, fine.stderr]).toEqual([0, ""]);
});

test("a session that started after now, by a clock that was set back, has the age 0", async () => {
  await using cli = openCli();
  await cli.limpet(["run", "true"]);
  await cli.sessions.stopHost();
  const folder = join(cli.env["LIMPET_HOME"] ?? "", "sessions");
  const [name = ""] = readdirSync(folder);
  const file = join(folder, name, "session.json");
  const record = JSON.parse(readFileSync(file, "utf8")) as { readonly startedAt: number };
  writeFileSync(file, JSON.stringify({ ...record, startedAt: Date.now() + HOUR_MS }));

  const listed = await cli.json("ls", "--ended");
  const { stdout } = await cli.limpet(["ls", "--ended"]);

  expect(listed).toMatchObject([{ ageMs: 0 }]);
  expect(stdout).toMatch(/ 0s /);
});

test.runIf(needs("root"))("a state directory below a directory of another user is refused", async () => {
  await using cli = openCli();
  const parent = join(cli.folder, "theirs");
  mkdirSync(parent);
  chownSync(parent, 12_345, 12_345);

  const { code, stderr } = await cli.limpet(["ls"], "", { LIMPET_HOME: join(parent, "state") });

  expect(code).not.toBe(0);
  expect(stderr).toBe(
    `DIRECTORY_UNSAFE: ${join(parent, "state")} is inside ${parent}, which belongs to user 12345. Set another LIMPET_HOME.\n`,
  );
});
