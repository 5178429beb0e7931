/** Shared by all scripts: the project's path, running a program, and printing the counts. */
import { spawn } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const progressMs = 30_000;
const pipeGraceMs = 1_000;

let stoppedBy = "";

/** Whether the module at this URL is the script that Node was started with. */
export function isMain(url) {
  return process.argv[1] === fileURLToPath(url);
}

/**
 * Runs a program to its end, without stdin. Resolves with `{ ok, how, output }`: `how` describes a failure, `output` is
 * set with `capture`. After `limitMs` the program and its process group are killed.
 */
export function run(title, command, { env = process.env, cwd = root, limitMs = 20 * 60_000, capture = false } = {}) {
  // After an interrupt, no later step runs.
  if (stoppedBy !== "") return Promise.resolve({ ok: false, how: `not started after ${stoppedBy}`, output: "" });
  const startedMs = Date.now();
  const pipe = capture ? "pipe" : "inherit";
  return new Promise((resolve) => {
    // In its own process group, so that the limit also ends what the program started.
    const child = spawn(command[0], command.slice(1), { env, cwd, stdio: ["ignore", pipe, pipe], detached: true });
    let output = "";
    let how = "";
    let graceTimer;
    const stop = (signal) => {
      stoppedBy = signal;
      how ||= `stopped by ${signal}`;
      killGroup(child.pid, signal);
    };
    const progress = setInterval(() => {
      console.log(`… ${title}: running for ${Math.round((Date.now() - startedMs) / 1000)} s`);
    }, progressMs);
    const limit = setTimeout(() => {
      how = `took longer than ${limitMs / 1000} s`;
      killGroup(child.pid, "SIGKILL");
    }, limitMs);
    const finish = (code, signal) => {
      clearInterval(progress);
      clearTimeout(limit);
      clearTimeout(graceTimer);
      process.off("SIGINT", stop).off("SIGTERM", stop);
      if (code !== 0) how ||= signal ? `ended by ${signal}` : `exit ${code}`;
      resolve({ ok: how === "", how, output });
    };
    process.on("SIGINT", stop).on("SIGTERM", stop);
    child.stdout?.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", (error) => {
      how = error.message;
      finish();
    });
    child.on("close", finish);
    // A process that the program left behind may keep the pipe open, and delay "close" forever.
    child.on("exit", (code, signal) => {
      graceTimer = setTimeout(finish, pipeGraceMs, code, signal);
    });
  });
}

/** Builds into an empty dist/, so that no file of an earlier build can be imported. */
export async function build() {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const compiled = await run("declarations", [
    process.execPath,
    bin("typescript", "bin/tsc"),
    "-p",
    "tsconfig.build.json",
  ]);
  return compiled.ok ? await run("bundle", [process.execPath, "scripts/bundle.mjs"]) : compiled;
}

export function bin(name, path) {
  return join(root, "node_modules", name, path);
}

/** What passed, what failed by name, and what was skipped. */
export class Counts {
  passed = 0;
  failed = 0;
  skipped = 0;
  failures = [];

  pass() {
    this.passed += 1;
  }

  fail(...lines) {
    this.failed += lines.length;
    this.failures.push(...lines);
  }
}

export function addCounts(list) {
  const total = new Counts();
  for (const { passed = 0, failed = 0, skipped = 0, failures = [] } of list) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    total.failures.push(...failures);
  }
  return total;
}

/**
 * Prints the counts, passes them to `.ci/run`, and sets the exit code. What failed is printed once more, at the end: it
 * may be thousands of lines above, and a CI server may keep only the last lines.
 */
export function report(counts) {
  const { passed, failed, skipped, failures = [] } = counts;
  for (const failure of failures) console.error(`FAILED: ${failure}`);
  if (process.env.LIMPET_COUNTS) appendFileSync(process.env.LIMPET_COUNTS, `${JSON.stringify(counts)}\n`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

function killGroup(pid, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
}
