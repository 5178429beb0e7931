/** Finds processes by what stands on their command line, and runs the scripts that hold sessions of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A number of seconds that nobody else sleeps for: what sleeps for it can be found. */
export function uniqueSeconds(): string {
  return String(100_000_000 + Math.floor(Math.random() * 900_000_000));
}

/** The pids of all live processes that have `word` on their command line. */
export function pidsWith(word: string): number[] {
  return pidsWhose("cmdline", word);
}

/** The pids of all live processes with this variable, such as `HOME=/root`. */
export function pidsWithVariable(variable: string): number[] {
  return pidsWhose("environ", `${variable}\0`);
}

function pidsWhose(file: "cmdline" | "environ", part: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readProc(pid, file).includes(part)).map(Number);
}

/** Empty for a zombie, and for what is gone. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

export function programPath(name: string): string {
  return fileURLToPath(new URL(`../programs/${name}`, import.meta.url));
}

export interface Script {
  readonly child: ChildProcess;
  /** The next line of its output, parsed. */
  next(): Promise<Record<string, unknown>>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly errors: string }>;
}

/** Starts a script of `test/programs` in a Node of its own; `wrap` is a shell line in which `"$@"` stands for it. */
export function startScript(name: string, args: readonly string[], wrap = 'exec "$@"'): Script {
  const command = ["-c", wrap, "bash", process.execPath, programPath(name), ...args];
  const child = spawn("/bin/bash", command, { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, errors }));
  return {
    child,
    ended,
    async next() {
      const line = await lines.next();
      if (line.done) throw new Error(`${name} ended early: ${JSON.stringify(await ended)}`);
      return JSON.parse(line.value) as Record<string, unknown>;
    },
  };
}
