/** The four kinds of shell, and what their tests share. */

import { tmpdir } from "node:os";
import { TestRunner } from "vitest";
import type { SandboxKeeper } from "../../src/base/sandbox-request.ts";
import { openShell, type RunOptions, type RunResult, type Shell, type ShellOptions } from "../../src/entries/shell.ts";
import { sandboxTransport } from "../../src/entries/transport.ts";
import { internalsOf } from "../../src/session/session-internals.ts";
import { needs, skipTestWithout } from "./needs.ts";
import { isAtPlace } from "./places/is-at-place.ts";
import { until } from "./sessions.ts";
import { suiteSandbox } from "./suite-sandbox.ts";

export type ShellName = "bash" | "zsh" | "dash" | "busybox";

export const SHELLS: readonly ShellName[] = ["bash", "zsh", "dash", "busybox"];

/** No command of these tests takes long: one that does is ended and reported as timed out. */
const PATIENCE_MS = 15_000;
/** Of a program in a container, each process takes longer to start. */
const FAR_PATIENCE_MS = 60_000;

/** Tests write into folders of their own in the temporary directory; nothing of the machine is hidden from them. */
function inSandbox(keeper: SandboxKeeper): Pick<ShellOptions, "transport"> {
  if (!needs("landlock", ...(keeper === "bwrap" ? (["bwrap"] as const) : [])))
    TestRunner.getCurrentTest()?.context.skip("missing: landlock or bwrap");
  const sandbox = { files: "workspace", network: "off", project: process.cwd(), caches: [tmpdir()] } as const;
  return { transport: sandboxTransport({ ...sandbox, with: keeper }) };
}

/** A shell for one test, closed at its end whatever happens. */
export async function withShell<T>(
  options: ShellOptions,
  work: (shell: Shell, run: (command: string, options?: RunOptions) => Promise<Told>) => Promise<T>,
): Promise<T> {
  skipTestWithout(options.shell ?? "bash");
  const keeper = suiteSandbox();
  await using shell = isAtPlace()
    ? await (await import("./places/open-at-place.ts")).openShellAtPlace(options)
    : await openShell({ ...(keeper ? inSandbox(keeper) : {}), ...options });
  const timeoutMs = isAtPlace() ? FAR_PATIENCE_MS : PATIENCE_MS;
  const run = async (command: string, more: RunOptions = {}) => told(await shell.run(command, { timeoutMs, ...more }));
  return await work(shell, run);
}

/** Its command has come to `sleep`. A Ctrl+C that comes while zsh is about to start a program is lost. */
export async function untilAsleep(shell: Shell): Promise<void> {
  const isThere = async () => (await shell.state()).jobs.some(({ name }) => name === "sleep");
  await until(
    async () => !internalsOf(shell.session).channel.probe?.isProgramInForeground() && (await isThere()),
    "sleep runs",
  );
}

/** It reads its next command: everything that it does after the last one is done. */
export async function untilReads(shell: Shell): Promise<void> {
  const isReading = () => typeof internalsOf(shell.session).channel.probe?.observe()?.reader === "object";
  await until(isReading, "the shell reads its next command");
}

/** All that are there, side by side, for what takes its time in each of them. */
export async function inEveryShell(
  work: (shell: Shell, run: (command: string, options?: RunOptions) => Promise<Told>, name: ShellName) => Promise<void>,
): Promise<void> {
  const there = SHELLS.filter((name) => needs(name));
  await Promise.all(there.map((name) => withShell({ shell: name }, (shell, run) => work(shell, run, name))));
}

/** The part of a result that is the same in each run. */
export type Told = Pick<RunResult, "output" | "exitCode"> & Partial<RunResult>;

export function told(result: RunResult): Told {
  const { output, exitCode, isRunning, waitingFor, timedOut, shellExit, backgroundOutput, truncated } = result;
  return {
    output,
    exitCode,
    ...(isRunning ? { isRunning } : {}),
    ...(waitingFor ? { waitingFor } : {}),
    ...(timedOut ? { timedOut } : {}),
    ...(shellExit ? { shellExit } : {}),
    ...(backgroundOutput ? { backgroundOutput } : {}),
    ...(truncated ? { truncated } : {}),
  };
}
