/** The C programs to compare with. Compiled if they are missing or older than their source. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const SOURCES = join(import.meta.dirname, "floor");
const BUILT = join(import.meta.dirname, "..", ".cache", "bench");

const runFile = promisify(execFile);

/** The path of a C program in `floor/`. */
export function floorProgram(name) {
  const program = join(BUILT, name);
  if (!isFresh(program)) {
    mkdirSync(BUILT, { recursive: true });
    execFileSync("gcc", ["-O2", "-Wall", "-o", program, join(SOURCES, `${name}.c`), "-lutil"], { stdio: "inherit" });
  }
  return program;
}

/** Runs a C program and returns the JSON that it prints. */
export async function runFloor(name, ...args) {
  const { stdout } = await runFile(floorProgram(name), args.map(String));
  return JSON.parse(stdout);
}

function isFresh(program) {
  if (!existsSync(program)) return false;
  const builtMs = statSync(program).mtimeMs;
  return readdirSync(SOURCES).every((source) => statSync(join(SOURCES, source)).mtimeMs <= builtMs);
}
