/** The directory through which a shell gets its commands goes with the shell, whatever ends it. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type Script, startScript } from "../../support/processes.ts";
import { temporaryDirectory } from "../../support/watching.ts";

/** In a temporary directory of its own. */
function holdShell(how: string, directory: string): Script {
  return startScript("holds-a-shell.mjs", [how], `TMPDIR='${directory}' exec "$@"`);
}

test.each(["closes", "forces", "exits", "execs", "dies"])("a shell that %s leaves no file", async (how) => {
  const script = holdShell(how, temporaryDirectory());

  expect(await script.next()).toEqual({ files: [] });
  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
});

test("a process that exits leaves no file of its shell", async () => {
  const directory = temporaryDirectory();

  expect((await holdShell("quits", directory).ended).code).toBe(0);
  expect(readdirSync(directory)).toEqual([]);
});

test("a shell whose files were deleted leaves none either", async () => {
  const directory = temporaryDirectory();
  const script = holdShell("deletes", directory);

  await script.next();
  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
  expect(readdirSync(directory)).toEqual([]);
});

test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("%s leaves no file of a shell", async (signal) => {
  const directory = temporaryDirectory();
  const script = holdShell("stays", directory);
  await script.next();

  script.child.kill(signal);
  await script.ended;

  expect(readdirSync(directory)).toEqual([]);
});

test.each(["stays", "interrupts"])(
  "the files of a killed process go with the next shell, and those of a live one stay: %s",
  async (how) => {
    const directory = temporaryDirectory();
    const [alive, killed] = [holdShell(how, directory), holdShell(how, directory)];
    await Promise.all([alive.next(), killed.next()]);
    expect(readdirSync(directory)).toHaveLength(2);
    killed.child.kill("SIGKILL");
    await killed.ended;

    await holdShell("closes", directory).ended;

    expect(readdirSync(directory)).toEqual([expect.stringContaining("limpet-shell-")]);
    alive.child.kill("SIGTERM");
    await alive.ended;
    expect(readdirSync(directory)).toEqual([]);
  },
);
