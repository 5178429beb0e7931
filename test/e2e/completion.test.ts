/** Completion in real shells: what a person gets who presses Tab. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession } from "../../src/entries/session.ts";
import { startSession } from "../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../support/cli.ts";
import { needs, skipTestWithout } from "../support/needs.ts";
import { outputHas, until } from "../support/sessions.ts";
import { LONG_MS } from "../support/watching.ts";

let cli: Cli;
const plain = { login: false, shell: "/bin/sh" };

beforeAll(async () => {
  cli = openCli();
  await startSession(cli.sessions, { command: "exec cat", name: "completed", ...plain });
  await startSession(cli.sessions, { command: "exec cat", name: "two words", ...plain });
  for (const shell of ["bash", "zsh", "fish"]) {
    writeFileSync(join(cli.folder, `limpet.${shell}`), (await cli.limpet(["completion", shell])).stdout);
  }
  // As it is installed: a program of that name in PATH. Shells ask the same questions, so each is answered once.
  mkdirSync(join(cli.folder, "bin"));
  const answers = join(cli.folder, "answers");
  mkdirSync(answers);
  const program = [
    "#!/bin/sh",
    `answer=${answers}/$(printf '%s\\n' "$LIMPET_HOME" "$@" | cksum | tr ' ' -)`,
    `[ -e "$answer" ] || { ${cli.command} "$@" >"$answer.$$" && mv "$answer.$$" "$answer"; }`,
    'exec cat "$answer"',
  ];
  writeFileSync(join(cli.folder, "bin", "limpet"), `${program.join("\n")}\n`, { mode: 0o755 });
  mkdirSync(join(cli.folder, "directory"));
  writeFileSync(join(cli.folder, "direct.cast"), "");
});

afterAll(async () => {
  await cli[Symbol.asyncDispose]();
});

function env(): Record<string, string> {
  const { PATH = "" } = process.env;
  return { ...(process.env as Record<string, string>), ...cli.env, PATH: `${join(cli.folder, "bin")}:${PATH}` };
}

const CASES = [
  ["rele", ["release"]],
  ["logs --fo", ["--follow"]],
  ["attach compl", ["completed"]],
  ["mcp --tools un", ["unified"]],
  ["setup cod", ["codex"]],
  ["setup claude --scope pro", ["project"]],
  ["help rel", ["release"]],
  ["host sto", ["stop"]],
  ["mcp --state direct", ["directory"]],
  ["replay direct.c", ["direct.cast"]],
  ["logs completed --tail com", []],
  ["history completed com", []],
] as const;

/** What one shell offers for each line of the cases. */
type Offered = ReadonlyMap<string, readonly string[]>;

/** The script prints a line `> LINE` before what it offers for that line. */
function offeredBy([program = "", ...args]: readonly string[], script: string): Offered {
  const shown = execFileSync(program, [...args, script], { cwd: cli.folder, env: env(), encoding: "utf8" });
  const parts = shown.split(/^> /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [line = "", ...offers] = part.split("\n").filter(Boolean);
      return [line, offers];
    }),
  );
}

describe("in bash", () => {
  let offered: Offered;
  beforeAll(() => {
    const cases = CASES.map(([line]) => {
      const words = ["limpet", ...line.split(" ")].map((word) => `'${word}'`).join(" ");
      return `echo '> ${line}'; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _limpet; printf '%s\\n' "\${COMPREPLY[@]}"`;
    });
    offered = offeredBy(["bash", "-c"], ["source limpet.bash", ...cases].join("\n"));
  });

  test.each(CASES)("limpet %s is completed with %j", (line, offers) => {
    expect(offered.get(line)).toEqual(offers);
  });
});

describe.skipIf(!needs("fish"))("in fish", () => {
  let offered: Offered;
  beforeAll(() => {
    const cases = CASES.map(([line]) => `echo '> ${line}'; complete -C'limpet ${line}'`);
    offered = offeredBy(["fish", "--no-config", "-c"], ["source limpet.fish", ...cases].join("\n"));
  });

  test.each(CASES)("limpet %s is completed with %j", (line, offers) => {
    const words = offered.get(line)?.map((row) => (row.split("\t")[0] ?? "").replace(/\/$/, ""));

    expect(words).toEqual(offers);
  });
});

/**
 * Writes the line that is being edited to a file, and empties the line. To print it, zsh would give its terminal back
 * the modes of a shell for a moment, and keys that come then are the kernel's: a Ctrl+U would not reach the line.
 */
const SHOW = 'show() { print -r -- "[$BUFFER]" >>$ZDOTDIR/shown; BUFFER= }; zle -N show; bindkey "^T" show';

const IN_ZSH = [
  ["rele", "release "],
  ["attach compl", "attach completed "],
  ["attach two", "attach two\\ words "],
  ["logs --fo", "logs --follow "],
  ["mcp --tools un", "mcp --tools unified "],
  ["mcp --state direct", "mcp --state directory/"],
] as const;

test.each(["before", "after"] as const)("zsh, with the script sourced %s compinit, completes lines", async (order) => {
  skipTestWithout("zsh");
  const home = join(cli.folder, `zsh-${order}`);
  mkdirSync(home, { recursive: true });
  const init = "autoload -Uz compinit; compinit -u -D";
  const source = `source ${join(cli.folder, "limpet.zsh")}`;
  const lines = order === "before" ? [source, init] : [init, source];
  writeFileSync(join(home, ".zshrc"), `${lines.join("\n")}\n${SHOW}\nPS1='ready> '\n`);
  await using session = await openSession({
    program: "zsh",
    args: ["-d", "-i"],
    cwd: cli.folder,
    env: { ...env(), ZDOTDIR: home, HOME: home },
  });
  await outputHas(session, "ready> ");

  const file = join(home, "shown");
  const shown = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);
  for (const [index, [typed, expected]] of IN_ZSH.entries()) {
    await session.write(`limpet ${typed}\t\x14`);
    await until(() => shown().length > index, `zsh has completed ${typed}`, LONG_MS);
    expect(shown()[index]).toBe(`[limpet ${expected}]`);
  }

  expect(session.exit).toBeUndefined();
});

test("bash quotes a name with a space", () => {
  const script = `source limpet.bash; COMP_WORDS=(limpet attach two); COMP_CWORD=2; _limpet; printf '%s\\n' "\${COMPREPLY[@]}"`;

  expect(execFileSync("bash", ["-c", script], { cwd: cli.folder, env: env(), encoding: "utf8" })).toBe("two\\ words\n");
});

test("pressing Tab starts no host", () => {
  const state = join(cli.folder, "no-host");
  const script = "source limpet.bash; COMP_WORDS=(limpet attach ''); COMP_CWORD=2; _limpet; echo \"${#COMPREPLY[@]}\"";

  const shown = execFileSync("bash", ["-c", script], {
    cwd: cli.folder,
    env: { ...env(), LIMPET_HOME: state },
    encoding: "utf8",
  });

  expect(shown).toBe("0\n");
});
