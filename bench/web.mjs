/**
 * npm run bench:web: what an open page costs a host with a hundred sessions, twenty of them noisy: how late its event loop is
 * without the page and with it, in turns.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { connectHost } from "../dist/entries/service.js";
import { median, progress, report, roundsOf, scaled } from "./measure.mjs";

const SESSIONS = 100;
const NOISY = 20;
const PHASE_MS = scaled(8_000);
const MOST_P99_MS = 20;
/** Ten lines every tenth of a second, in colours, in the size that programs have by default. */
const NOISE =
  "while :; do for i in 1 2 3 4 5 6 7 8 9 10; do printf '\\033[3%dm%d %s\\033[0m\\n' $i $RANDOM \"$PATH\"; done; sleep 0.1; done";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const stateDirectory = join(folder, "state");
const loopFile = join(folder, "loop.json");
// Not part of the package's API, so bundled for this program.
const bundle = await rolldown({ input: here("../src/web/api/api-routes.ts"), platform: "node" });
const api = join(folder, "api.mjs");
await bundle.write({ file: api, format: "esm", codeSplitting: false });
const command = [process.execPath, "--import", here("programs/tells-its-loop.mjs"), here("../dist/bin/main.js")];
const host = connectHost({ stateDirectory, command });

try {
  const plain = { login: false, shell: "/bin/bash" };
  for (let i = 0; i < SESSIONS; i += 1) {
    const start = { ...plain, command: i < NOISY ? NOISE : "exec cat" };
    await host.turn({ caller: "bench", on: { kind: "start", start } });
  }
  const { pid } = await host.hostStatus();
  const found = { without: [], with: [], counts: [] };
  await loopOf(pid);
  for (let round = 0; round <= roundsOf(5); round += 1) {
    await sleep(PHASE_MS);
    const without = await loopOf(pid);
    const page = await openPage();
    await loopOf(pid);
    await sleep(PHASE_MS);
    const withPage = await loopOf(pid);
    const counts = await page.close();
    progress(
      `round ${round}: p99 ${without.p99.toFixed(1)} ms, with a page ${withPage.p99.toFixed(1)} ms, ${counts.pictures} pictures`,
    );
    // The first round warms up.
    if (round === 0) continue;
    found.without.push(without);
    found.with.push({ ...withPage, share: withPage.cpuMs / PHASE_MS });
    found.counts.push(counts);
  }
  const [without, withPage] = [median(found.without.map(({ p99 }) => p99)), median(found.with.map(({ p99 }) => p99))];
  report([
    {
      figure: `${SESSIONS} sessions, ${NOISY} noisy, one page: event loop of the host, p99`,
      ours: `${withPage.toFixed(1)} ms`,
      floor: `${without.toFixed(1)} ms`,
      ratio: withPage / without,
      target: `< ${MOST_P99_MS} ms`,
      isMet: withPage < MOST_P99_MS,
    },
    {
      figure: "  the longest delay",
      ours: `${Math.max(...found.with.map(({ max }) => max)).toFixed(0)} ms`,
      floor: `${Math.max(...found.without.map(({ max }) => max)).toFixed(0)} ms`,
    },
    {
      figure: "  processor time of the host with the page",
      ours: `${(100 * median(found.with.map(({ share }) => share))).toFixed(0)} %`,
    },
    {
      figure: "  pictures per second",
      ours: ((median(found.counts.map(({ pictures }) => pictures)) * 1000) / PHASE_MS).toFixed(1),
    },
  ]);
} finally {
  await host.stopHost();
  rmSync(folder, { recursive: true });
}

/** Since the last call; `cpuMs` as well. */
async function loopOf(pid) {
  rmSync(loopFile, { force: true });
  const before = loopOf.cpuMs ?? 0;
  process.kill(pid, "SIGUSR2");
  while (!existsSync(loopFile)) await sleep(5);
  const told = JSON.parse(readFileSync(loopFile, "utf8"));
  loopOf.cpuMs = told.cpuMs;
  return { ...told, cpuMs: told.cpuMs - before };
}

async function openPage() {
  const child = spawn(process.execPath, [here("programs/opens-a-page.mjs"), api, stateDirectory, "1"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  if ((await lines.next()).value !== "ready") throw new Error("The page got no sessions");
  return {
    async close() {
      child.stdin.end();
      const { value } = await lines.next();
      if (child.exitCode === null) await once(child, "exit");
      return JSON.parse(value);
    },
  };
}
