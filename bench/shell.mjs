/**
 * The cost of a command in a persistent shell, compared with a new `bash -c` per command started by Node; and the cost
 * of framing during a flood.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSession } from "../dist/entries/session.js";
import { openShell } from "../dist/entries/shell.js";
import { isOnPath } from "../scripts/tests/missing-needs.mjs";
import { alternate, median, mustHold, percentile, progress, ratios, report, scaled } from "./measure.mjs";

const COMMANDS = scaled(1000);
const RUN_MS = 1.5;
const OF_BASH_C = 1 / 3;
const FLOOD_RATIO = 1.05;
const FLOOD = `head -c ${scaled(60_000_000)} /dev/zero | tr '\\0' x | fold -w 79`;

const rows = [];
for (const shell of ["bash", "dash", "zsh", "busybox"])
  rows.push(
    isOnPath(shell) ? await measureRun(shell) : { figure: `run("true") in ${shell}, p50`, ours: "not installed" },
  );
report([...rows, await measureMany(), await measureFlood()]);

async function measureRun(shell) {
  const rounds = [];
  for (let round = 0; round < 5; round += 1) rounds.push(await runCommands(shell));
  const p50 = median(rounds.map((took) => median(took)));
  const p95 = median(rounds.map((took) => percentile(took, 95)));
  progress(`run("true") in ${shell}: p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`);
  const hasTarget = shell === "bash" || shell === "dash";
  return {
    figure: `run("true") in ${shell}, p50`,
    ours: `${p50.toFixed(2)} ms`,
    ...(hasTarget ? { target: `≤ ${RUN_MS} ms`, isMet: p50 <= RUN_MS } : {}),
  };
}

async function measureMany() {
  const found = await alternate({
    name: `${COMMANDS} commands`,
    rounds: 3,
    ours: () => timed(() => runCommands("bash")),
    floor: () => timed(startEach),
    floorName: "bash -c",
    show: (ms) => `${ms.toFixed(0)} ms`,
  });
  const ratio = median(ratios(found.ours, found.floor));
  return {
    figure: `${COMMANDS} commands in one bash, from its start to its end`,
    ours: `${median(found.ours).toFixed(0)} ms`,
    floor: `${median(found.floor).toFixed(0)} ms`,
    ratio,
    target: "< 0.33 × bash -c",
    isMet: ratio < OF_BASH_C,
  };
}

async function measureFlood() {
  const found = await alternate({
    name: "flood",
    rounds: 5,
    ours: () => timed(floodFramed),
    floor: () => timed(floodPlain),
    floorName: "unframed",
    show: (ms) => `${ms.toFixed(0)} ms`,
  });
  const ratio = median(ratios(found.ours, found.floor));
  return {
    figure: "60 MB through run, beside a plain session",
    ours: `${median(found.ours).toFixed(0)} ms`,
    floor: `${median(found.floor).toFixed(0)} ms`,
    ratio,
    target: `≤ ${FLOOD_RATIO} ×`,
    isMet: ratio <= FLOOD_RATIO,
  };
}

/** The milliseconds that each command took. */
async function runCommands(shell) {
  const took = [];
  const opened = await openShell({ shell });
  for (let i = 0; i < COMMANDS; i += 1) {
    const startedMs = performance.now();
    const { exitCode } = await opened.run("true");
    took.push(performance.now() - startedMs);
    mustHold(exitCode === 0, `true ended with ${exitCode}`);
  }
  await opened.close();
  return took;
}

async function startEach() {
  for (let i = 0; i < COMMANDS; i += 1) {
    // By default Node gives it a socket as its input. bash may then take itself for a remote shell and read ~/.bashrc.
    const started = spawn("bash", ["-c", "true"], { stdio: ["ignore", "pipe", "pipe"] });
    const [code] = await once(started, "close");
    mustHold(code === 0, `bash -c true ended with ${code}`);
  }
}

async function floodPlain() {
  const session = await openSession({ command: FLOOD, shell: "bash" });
  await session.exited;
  await session.discard();
}

async function floodFramed() {
  const shell = await openShell({ shell: "bash" });
  await shell.run(FLOOD, { maxOutputTokens: 100 });
  await shell.close();
}

async function timed(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
