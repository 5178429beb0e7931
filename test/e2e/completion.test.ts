/** Completion in real shells: what a person gets who presses Tab. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "../../src/entries/session.ts";
import { startSession } from "../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../support/cli.ts";
import { skipTestWithout } from "../support/needs.ts";
import { outputHas } from "../support/sessions.ts";

let cli: Cli;
const plain = { login: false, shell: "/bin/sh" };

beforeAll(async () => {
  cli = openCli();
  await startSession(cli.sessions, { command: "exec cat", name: "completed", ...plain });
  await startSession(cli.sessions, { command: "exec cat", name: "two words", ...plain });
  for (const shell of ["bash", "zsh", "fish"]) {
    writeFileSync(join(cli.folder, `limpet.${shell}`), (await cli.limpet(["completion", shell])).stdout);
  }
  // As it is installed: a program of that name in PATH.
  mkdirSync(join(cli.folder, "bin"));
  writeFileSync(join(cli.folder, "bin", "limpet"), `#!/bin/sh\nexec ${cli.command} "$@"\n`, { mode: 0o755 });
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

test.each(CASES)("bash completes limpet %s with %j", (line, offers) => {
  const words = ["limpet", ...line.split(" ")].map((word) => `'${word}'`).join(" ");
  const script = `source limpet.bash; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _limpet; printf '%s\\n' "\${COMPREPLY[@]}"`;

  const shown = execFileSync("bash", ["-c", script], { cwd: cli.folder, env: env(), encoding: "utf8" });

  expect(shown.split("\n").filter(Boolean)).toEqual(offers);
});

test.each(CASES)("fish completes limpet %s with %j", (line, offers) => {
  skipTestWithout("fish");
  const script = `source limpet.fish; complete -C'limpet ${line}'`;

  const shown = execFileSync("fish", ["--no-config", "-c", script], { cwd: cli.folder, env: env(), encoding: "utf8" });

  const words = shown.split("\n").map((row) => (row.split("\t")[0] ?? "").replace(/\/$/, ""));
  expect(words.filter(Boolean)).toEqual(offers);
});

/** Prints the line that is being edited. */
const SHOW = "show() { zle -I; print -r -- \"[[$BUFFER]]\" }; zle -N show; bindkey '^T' show";

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

  for (const [typed, expected] of IN_ZSH) {
    await session.write(`limpet ${typed}\t\x14`);
    await outputHas(session, `[[limpet ${expected}]]`);
    await session.write("\x15");
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
