/**
 * Runs a shell block of a page as a reader would type it: line by line, in an empty home and an empty folder, with
 * `limpet` on the PATH. A comment `<!-- before: COMMANDS -->` above a block contains commands that the reader has run
 * before. A command that runs until it is stopped, such as `limpet top`, runs in a terminal for a moment.
 *
 * In a block that cannot run here, each flag of `limpet` must exist.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "../run.mjs";

const MAIN = join(root, "dist/bin/main.js");
const LIMIT_MS = 120_000;
/** Programs that a machine may lack, and whose effect does not matter. */
const STAND_INS = {
  "notify-send": "exit 0",
  "xdg-open": "exit 0",
  pass: "echo a-value-of-some-length",
  make: "echo made",
  npm: "echo npm",
};
const GOES_ON =
  /^limpet (?:top|attach|watch|mcp|audit --follow|screen \S+ --watch|logs -f|replay \S+$|secret set \w+$|answer \d+$)/;

/** Without a terminal of their own, such commands refuse to start. */
const PRELUDE = `set -euo pipefail
for_a_moment() {
  local code=0
  timeout --kill-after 60 3 script -qec "$1" /dev/null </dev/null || code=$?
  [ $code -eq 0 ] || [ $code -eq 124 ] || { echo "exit $code: $1" >&2; exit 1; }
}
# Starts a session with the id 7.
seven() {
  for count in 1 2 3 4 5 6; do limpet start true >/dev/null; done
  limpet start "$@" >/dev/null
}
`;

/** What the reader has done before the block whose code begins at `line`, counted from 1. */
export function beforeOf(text, line) {
  const above = text
    .split("\n")
    .slice(0, line - 2)
    .join("\n");
  return /<!-- before:((?:(?!-->)[\s\S])*)-->\s*$/.exec(above)?.[1].trim() ?? "";
}

/** Creates the folder of a block. Returns what it runs in. */
export function openStage(folder, env) {
  const [home, bin, cwd] = ["home", "bin", "work"].map((name) => join(folder, name));
  for (const path of [home, bin, cwd]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const programs = { limpet: `exec "${process.execPath}" "${MAIN}" "$@"`, ...STAND_INS };
  for (const [name, code] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${code}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const own = { HOME: home, PATH: `${bin}:${env.PATH}`, LIMPET_HOME: join(folder, "state"), TERM: "xterm-256color" };
  const { XDG_CONFIG_HOME: _, XDG_STATE_HOME: __, XDG_CACHE_HOME: ___, XDG_DATA_HOME: ____, ...rest } = env;
  return { cwd, env: { ...rest, ...own } };
}

export async function closeStage({ cwd, env }) {
  for (const words of [
    ["web", "stop"],
    ["host", "stop"],
  ])
    await run("the end of a block", [process.execPath, MAIN, ...words], { cwd, env, capture: true });
}

/** The problem of a block; undefined if it runs. */
export async function shellProblem({ code, before }, { cwd, env }) {
  const script = [PRELUDE, before, ...joinedLines(code).map(asTyped)].join("\n");
  const result = await run("shell", ["bash", "-c", script], { cwd, env, capture: true, limitMs: LIMIT_MS });
  return result.ok ? undefined : `${result.how}\n${result.output}`;
}

function asTyped(line) {
  const command = withoutComment(line);
  if (!GOES_ON.test(command)) return line;
  return `for_a_moment '${command.replaceAll("'", "'\\''")}'`;
}

/** The problem of a block that does not run here. */
export async function flagsProblem({ code }, { cwd, env }) {
  for (const line of joinedLines(code)) {
    const words = withoutComment(line)
      .replace(/'[^']*'|"[^"]*"/g, "")
      .split(/\s+/);
    const at = words.lastIndexOf("limpet");
    if (at < 0 || !/^[a-z]+$/.test(words[at + 1] ?? "")) continue;
    const command = words.slice(at + 1, at + 2);
    const help = await run("help", [process.execPath, MAIN, ...command, "--help"], { cwd, env, capture: true });
    if (!help.ok) return `${line}: there is no command ${command}`;
    const flags = words.slice(at).filter((word) => word.startsWith("--"));
    const unknown = flags.find((flag) => !help.output.includes(flag.split("=")[0]));
    if (unknown !== undefined) return `${line}: limpet ${command} has no ${unknown}`;
  }
  return undefined;
}

/** Joins lines that end with a backslash with the next one. */
function joinedLines(code) {
  return code.replace(/\\\n\s*/g, "").split("\n");
}

function withoutComment(line) {
  return line.replace(/\s+#\s.*$/, "").trim();
}
