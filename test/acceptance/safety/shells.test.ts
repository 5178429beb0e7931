/** Shells in a sandbox, where something is hidden in the temporary directory. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { openShell } from "../../../src/entries/shell.ts";
import { sandboxTransport } from "../../../src/entries/transport.ts";
import { needs, skipWithout } from "../../support/needs.ts";
import { SHELLS } from "../../support/shells.ts";

const { setUp, tearDown } = skipWithout("landlock");

const outside = mkdtempSync(join(tmpdir(), "limpet-test-"));
afterAll(() => rmSync(outside, { recursive: true }));
const project = join(outside, "project");

setUp(() => {
  mkdirSync(project);
  mkdirSync(join(outside, "home", ".ssh"), { recursive: true });
  vi.stubEnv("HOME", join(outside, "home"));
});

tearDown(() => vi.unstubAllEnvs());

const options = (files: "read-only" | "workspace") => ({
  shell: "/bin/bash",
  cwd: project,
  transport: sandboxTransport({ files, project }),
});

test.each(["read-only", "workspace"] as const)(
  "a %s shell gets its commands, and the files for them",
  async (files) => {
    await using shell = await openShell(options(files));

    const plain = await shell.run("echo one");
    const streamed = await shell.run("cat; echo err >&2", { stdin: "given", splitStderr: true });

    expect(plain).toMatchObject({ output: "one\n", exitCode: 0 });
    // The two streams arrive on different ways, and on a busy machine in any order.
    expect(streamed).toMatchObject({ stdout: "given", stderr: "err\n", exitCode: 0 });
    expect(["givenerr\n", "err\ngiven"]).toContain(streamed.output);
  },
);

test.for(SHELLS)("here-documents of %s work in a sandbox", async (name, { skip }) => {
  skip(!needs(name), `missing: ${name}`);
  await using shell = await openShell({ ...options("read-only"), shell: name });

  const { output, exitCode } = await shell.run(`cat <<E | wc -l\n${"line\n".repeat(20_000)}E`);

  expect([output.trim(), exitCode]).toEqual(["20000", 0]);
});

test("its programs can neither change those files nor put others beside them", async () => {
  await using shell = await openShell(options("workspace"));
  const own = 'own=$(dirname "$(dirname "$TMPDIR")/x"); ';

  const { output } = await shell.run(
    `${own} for file in $own/read/*/c; do echo x > $file; rm $file; done 2>&1; touch $own/read/x $own/write/x $own/x 2>&1`,
  );

  const lines = output.trim().split("\n");
  expect(lines).toHaveLength(5);
  expect(lines.every((line) => line.includes("Permission denied"))).toBe(true);
});

test("the directories of a sandbox go with its last program", async () => {
  let temporary = "";
  {
    await using shell = await openShell(options("workspace"));
    temporary = dirname((await shell.run('printf %s "$TMPDIR"')).output);
  }

  // Seven more sessions could use it: it goes when this process ends, or when its terminals are used up.
  expect(readdirSync(temporary).sort()).toEqual(["read", "tmp", "write"]);
  expect(readdirSync(join(temporary, "read"))).toEqual([]);
});
