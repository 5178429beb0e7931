import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../src/base/async/deferred.ts";
import { openShell, type RunResult, type Shell } from "../../../src/entries/shell.ts";
import { LimpetError } from "../../../src/index.ts";
import { sandboxTransport } from "../../../src/safety/sandbox/sandbox-transport.ts";
import { needs, skipWithout } from "../../support/needs.ts";
import { isLong } from "../../support/sessions.ts";
import { SHELLS, type ShellName } from "../../support/shells.ts";

const CASES = isLong ? 2_500 : 25;
const LIMIT_MS = 1_500;
/** Reached only if the shell cannot be used. */
const CHECK_MS = 20_000;

/** The same numbers in each run, so that a failure can be seen again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** No program that could do harm, whatever is made of these. */
const WORDS = [
  "echo",
  "true",
  "false",
  "cd",
  "x=1",
  "$x",
  "'a b'",
  '"c $x"',
  "`",
  "$(",
  ")",
  "(",
  "{",
  "}",
  ";",
  "&",
  "&&",
  "||",
  "|",
  "\n",
  "if",
  "then",
  "else",
  "fi",
  "for",
  "in",
  "do",
  "done",
  "while",
  "case",
  "esac",
  ";;",
  "<<E",
  "E",
  "#",
  "!",
  "\\",
  "'",
  '"',
  "${",
  "*",
  "?",
  "~",
  "[",
  "]",
  "[[",
  "]]",
  "((",
  "))",
  "set",
  "-x",
  "+x",
  "-u",
  "-v",
  "unset",
  "eval",
  "exec",
  "exit",
  "return",
  "break",
  "trap",
  "read",
  "y",
  "printf",
  "%s",
  "wait",
  "jobs",
  "fg",
  "alias",
  "function",
  "f()",
  "f",
  "2>&1",
  ">/dev/null",
  "</dev/null",
  "\t",
  "é",
];

function grammar(random: (below: number) => number): string {
  return Array.from({ length: 1 + random(12) }, () => WORDS[random(WORDS.length)] ?? "").join(
    random(4) === 0 ? "" : " ",
  );
}

/** Bytes above 127 come as the characters with these numbers. */
function anyBytes(random: (below: number) => number): string {
  return String.fromCharCode(...Array.from({ length: 1 + random(40) }, () => 1 + random(255)));
}

describe.each(SHELLS)("in %s", (name) => {
  skipWithout(name);

  test.each([
    ["shell text", grammar],
    ["bytes", anyBytes],
  ])(
    "random %s always has a result, and the shell is usable or reported as ended",
    async (_, make) => {
      const cwd = await mkdtemp(join(tmpdir(), "shell-fuzz-"));
      // Random letters are also the names of programs: R waits for input, and leaves files behind.
      const env = { PATH: join(cwd, "bin") };
      await mkdir(env.PATH);
      await symlink(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(env.PATH, name));
      const random = randomFrom(SHELLS.indexOf(name) + 1);
      // Random text also writes, anywhere: it may do so only here.
      const box = { files: "workspace", network: "off", project: cwd, caches: [tmpdir()] } as const;
      const options = { shell: name, cwd, env, ...(needs("landlock") ? { transport: sandboxTransport(box) } : {}) };
      let shell = await openShell(options);
      try {
        for (let index = 0; index < CASES; index += 1) {
          const command = make(random);
          const outcome = await settle(shell, command);
          expect({ index, command, isRunning: outcome.isRunning }).toEqual({ index, command, isRunning: false });
          const next = outcome.shellExit ? undefined : await check(shell, name);
          expect({ index, command, next }).toEqual({ index, command, next: next && expect.stringContaining("usable") });
          // What one case has redefined must not decide the next one.
          if (shell.session.exit || index % 10 === 9) {
            await shell.close({ force: true });
            shell = await openShell(options);
          }
        }
      } finally {
        await shell.close({ force: true });
        await rm(cwd, { recursive: true, force: true });
      }
    },
    isLong ? 3_600_000 : 300_000,
  );
});

/** A command that waits for input is ended by its time limit, like one that never ends. */
async function settle(shell: Shell, command: string, limitMs = LIMIT_MS): Promise<RunResult> {
  // Not from the call on: a command that a busy machine has not started by then is refused.
  const started = deferred<void>();
  const running = shell.run(command, { onStarted: () => started.resolve() });
  await Promise.race([started.promise, running]);
  let result = await shell.wait({ timeoutMs: limitMs });
  await running;
  if (result.isRunning) result = await shell.wait({ timeoutMs: 1 });
  for (let tries = 0; result.isRunning && tries < 20; tries += 1) {
    await shell.interrupt();
    result = await shell.wait({ timeoutMs: 100 });
  }
  return result;
}

/** A shell that one of its jobs ends, or that ends between two commands, is reported as ended by the next one. */
async function check(shell: Shell, name: ShellName, tries = 3): Promise<string> {
  try {
    const { output, exitCode, shellExit } = await settle(shell, "\\printf 'usable\\n' 2>&1 >/dev/tty", CHECK_MS);
    // A job that ends at this moment interrupts what ash is writing, and its printf fails: without limpet, too.
    const mayBeInterrupted = name === "busybox" && exitCode === 1 && tries > 1;
    if (mayBeInterrupted && !output.includes("usable")) return await check(shell, name, tries - 1);
    return shellExit ? "usable until now" : `${exitCode} ${output}`;
  } catch (error) {
    if (error instanceof LimpetError && error.code === "SESSION_ENDED" && shell.session.exit) return "usable until now";
    // A shell that is not certainly at its prompt says so, and is usable after Ctrl+C.
    if (!(error instanceof LimpetError && error.code === "SHELL_BUSY")) throw error;
    console.warn(`${error.message} ${String(error.cause)}`);
    await shell.interrupt();
    return (await settle(shell, "echo usable", CHECK_MS)).output;
  }
}
