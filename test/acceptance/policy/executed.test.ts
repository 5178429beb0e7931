/**
 * What shells really execute, compared with what the parse names: a line that a policy would let pass without a question
 * runs no program that the parse did not find.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { examine } from "../../../src/safety/policy/examine.ts";
import { skipWithout } from "../../support/needs.ts";
import { CommandGrammar, PROGRAMS, randomFrom, WORDS } from "../../support/policy/command-grammar.ts";
import { commandAct, decide, policyOf } from "../../support/policy/policies.ts";
import { isLong } from "../../support/sessions.ts";

const { setUp, tearDown } = skipWithout("strace", "dash", "zsh", "fish", "busybox");

/** How each shell runs a line without files of the user, and how many lines it gets. */
const SHELLS = [
  { shell: "bash", start: "bash --norc", count: isLong ? 10_000 : 300, share: 0.1 },
  { shell: "dash", start: "dash", count: isLong ? 2_000 : 150, share: 0.05 },
  { shell: "zsh", start: "zsh -f", count: isLong ? 4_000 : 300, share: 0.01 },
  { shell: "fish", start: "fish --no-config --private", count: isLong ? 4_000 : 300, share: 0.005 },
  { shell: "ash", start: "ash", count: isLong ? 2_000 : 150, share: 0.05 },
] as const;
const BATCH = 40;
const REAL = ["bash", "dash", "sh", "zsh", "fish", "env", "nice", "nohup", "timeout", "xargs", "find", "cat"];
/** A line that waits for something is ended; what it executed until then counts. */
const BATCH_MS = 120_000;

/** Wrappers are allowed by name and transparent; writing, and all that limpet does not understand, is still asked. */
const POLICY = policyOf({
  default: "allow",
  cautions: { function: "allow", variable: "allow" },
  rules: [...REAL, "command", "builtin", "exec", "eval", "trap"].map((name) => ({ prefix: [name], decision: "allow" })),
});

const STRACE = pathOf("strace");

let folder: string;
setUp(() => {
  folder = mkdtempSync(join(tmpdir(), "limpet-policy-"));
  mkdirSync(join(folder, "bin"));
  copyFileSync(pathOf("busybox"), join(folder, "bin", "ash"));
  for (const name of REAL) copyFileSync(pathOf(name), join(folder, "bin", name));
  for (const name of [...PROGRAMS, ...WORDS, "then", "do", "done", "fi", "esac", "else", "c", "e", "f", "d"])
    copyFileSync("/bin/true", join(folder, "bin", name));
});
tearDown(() => rmSync(folder, { recursive: true, force: true }));

test.each(SHELLS)(
  "of $count random lines, those that pass execute only programs that the parse names: $shell",
  {
    timeout: 1_800_000,
  },
  async ({ shell, start, count, share }) => {
    const grammar = new CommandGrammar(randomFrom(7));
    const lines = Array.from({ length: count }, () => grammar.line());
    const passing = lines.filter((line) => decide(line, POLICY, { shell }) === "allow");
    const surprises: unknown[] = [];
    let executed = 0;

    for (let at = 0; at < passing.length; at += BATCH) {
      const batch = passing.slice(at, at + BATCH);
      for (const [index, programs] of (await run(batch, start)).entries()) {
        const line = batch[index] ?? "";
        const named = namesOf(line);
        executed += programs.length;
        const unnamed = programs.filter((program) => !named.has(program));
        if (unnamed.length > 0) surprises.push({ line, unnamed });
      }
    }

    expect(surprises).toEqual([]);
    expect(passing.length).toBeGreaterThan(count * share);
    expect(executed).toBeGreaterThan(passing.length / 2);
  },
);

test("the trace finds programs whose names are computed, and those in the background", async () => {
  const lines = ["v=rm; $v x", "$(echo ls) &", "bash -c 'foo; bar' & git"];

  expect((await run(lines, "bash --norc")).map((programs) => programs.toSorted())).toEqual([
    ["rm"],
    ["ls"],
    ["bar", "bash", "foo", "git"],
  ]);
});

function pathOf(program: string): string {
  return spawnSync("which", [program], { encoding: "utf8" }).stdout.trim();
}

function namesOf(line: string): ReadonlySet<string> {
  const commands = examine(commandAct(line)).commands.flatMap(({ command }) => command.words.slice(0, 1));
  return new Set(commands.map(({ literal }) => basename(literal ?? "")));
}

/** The programs that each line executes, by their names. What still runs at the deadline is killed, and counts. */
async function run(lines: readonly string[], start: string): Promise<readonly (readonly string[])[]> {
  const [trace, script] = [join(folder, "trace"), join(folder, "script")];
  const shells = lines.map((line, index) => `${start} -c ${quote(line)} line-${index} < /dev/null`);
  writeFileSync(script, ["ulimit -t 5", ...shells].join("\n"));
  const env = { PATH: join(folder, "bin"), FUNCNEST: "20", HOME: folder };
  const filters = ["-e", "signal=none", "-e", "trace=execve,clone,clone3,fork,vfork"];
  const args = ["-f", "-qq", "-s", "100000", ...filters, "-o", trace, join(folder, "bin", "bash"), script];
  // A group of its own, so that everything in it can be killed.
  const strace = spawn(STRACE, args, { cwd: folder, env, stdio: "ignore", detached: true });
  const group = strace.pid ?? 0;
  const deadline = setTimeout(() => killGroup(group), BATCH_MS);
  await once(strace, "exit");
  clearTimeout(deadline);
  killGroup(group);
  return readTrace(readFileSync(trace, "utf8"), lines.length);
}

function killGroup(group: number): void {
  if (group <= 1) return;
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

/** Assigns every execution to the line whose shell started it, however late it comes. */
function readTrace(text: string, count: number): readonly (readonly string[])[] {
  const parents = new Map<string, string>();
  const roots = new Map<string, number>();
  const unfinished = new Map<string, string>();
  const executions: { readonly pid: string; readonly program: string }[] = [];
  for (const line of text.split("\n")) {
    const [, pid = ""] = /^(\d+) /.exec(line) ?? [];
    const [, child] = /(?:clone3?|v?fork)\b.* = (\d+)$/.exec(line) ?? [];
    if (child !== undefined) parents.set(child, pid);
    if (/execve\(.*<unfinished \.\.\.>$/.test(line)) unfinished.set(pid, line);
    const call = /<\.\.\. execve resumed>/.test(line) ? `${unfinished.get(pid)}${line}` : line;
    const [, path, first = ""] = /execve\("([^"]*)", \["([^"]*)".* = 0$/.exec(call) ?? [];
    const [, index] = /"line-(\d+)"\]/.exec(call) ?? [];
    if (path === undefined) continue;
    if (index !== undefined && !roots.has(pid)) roots.set(pid, Number(index));
    // busybox runs its own programs by their names.
    else executions.push({ pid, program: basename(path === "/proc/self/exe" ? first : path) });
  }
  const found: string[][] = Array.from({ length: count }, () => []);
  for (const { pid, program } of executions) {
    let at: string | undefined = pid;
    while (at !== undefined && !roots.has(at)) at = parents.get(at);
    if (at !== undefined) found[roots.get(at) ?? -1]?.push(program);
  }
  return found;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
