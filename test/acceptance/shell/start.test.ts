/** A shell whose start is aborted, and what a command that never started leaves behind. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionRegistry } from "../../../src/entries/session.ts";
import { openShell, type ShellOptions } from "../../../src/entries/shell.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { codeOf, until } from "../../support/sessions.ts";
import { withShell } from "../../support/shells.ts";

guardEveryCase();

/** A shell whose start files never end, in a registry. */
async function withSlowStart(work: (options: ShellOptions, registry: SessionRegistry) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "shell-home-"));
  const registry = new SessionRegistry();
  try {
    await writeFile(join(home, ".bash_profile"), "sleep 100\n");
    const open: ShellOptions["open"] = (options) => registry.open(options);
    await work({ shell: "bash", startFiles: "login", env: { HOME: home }, open }, registry);
  } finally {
    await registry.closeAll({ force: true });
    await rm(home, { recursive: true });
  }
}

test("a start that is cancelled rejects with the reason, and leaves no session", async () => {
  await withSlowStart(async (options, registry) => {
    const stop = new AbortController();
    const opening = openShell({ ...options, signal: stop.signal });
    const outcome = expect(opening).rejects.toThrow("enough");
    await until(() => registry.list().length === 1, "the session is there");
    stop.abort(new Error("enough"));
    await outcome;
    expect(registry.list()).toEqual([]);
  });
});

test("an already aborted signal starts nothing", async () => {
  await withSlowStart(async (options, registry) => {
    await expect(openShell({ ...options, signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
    expect(registry.list({ ended: true })).toEqual([]);
  });
});

test("a start ends with its deadline", async () => {
  await withSlowStart(async (options, registry) => {
    expect(await codeOf(openShell({ ...options, deadlineMs: 200 }))).toBe("SHELL_NOT_READY");
    expect(registry.list()).toEqual([]);
    expect(await codeOf(openShell({ ...options, deadlineMs: 0 }))).toBe("BAD_OPTION");
  });
});

test("a session that is closed while its shell starts is not reported as a shell that does not become ready", async () => {
  await withSlowStart(async (options, registry) => {
    const code = codeOf(openShell(options));
    await until(() => registry.list().length === 1, "the session is there");
    const [session] = registry.list();
    await session?.close({ force: true });
    expect(await code).toBe("SESSION_ENDED");
  });
});

test("a command that does not start leaves no descriptor open", async () => {
  await withShell({ shell: "bash" }, async (sh, run) => {
    await run("true", { splitStderr: true, stdin: "text" });
    const descriptors = async () => (await readdir("/proc/self/fd")).length;
    await sh.session.write("cat\n");
    await until(async () => (await sh.state()).jobs.some(({ name }) => name === "cat"), "cat runs");
    const before = await descriptors();
    for (let round = 0; round < 3; round += 1) {
      expect(await codeOf(sh.run("true", { splitStderr: true, stdin: "text" }))).toBe("SHELL_BUSY");
    }
    await until(async () => (await descriptors()) <= before, "descriptors are closed");
  });
});
