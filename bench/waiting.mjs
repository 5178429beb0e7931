/**
 * How soon a wait returns, what it costs, and whether it is right. Each figure is compared with something simpler that
 * runs next to it. `node bench/waiting.mjs [lines exit password probe deadline prompts idle]`; without names, all of
 * them.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSession, waitForAny } from "../dist/entries/session.js";
import { median, percentile } from "./measure.mjs";
import { benchProbe } from "./waits/probe.mjs";
import { benchPrompts } from "./waits/prompts.mjs";

const DEADLINE_MS = 5_000;
const results = [];
const folder = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const prompts = join(folder, "prompts");
execFileSync("cc", ["-O2", "-o", prompts, new URL("programs/prompts.c", import.meta.url).pathname]);

try {
  const all = {
    lines: benchLines,
    exit: benchExit,
    password: benchPassword,
    probe: async () => results.push(...(await benchProbe(folder))),
    deadline: benchDeadline,
    prompts: async () => results.push(...(await benchPrompts(folder))),
    idle: benchIdle,
  };
  const asked = process.argv.slice(2);
  for (const [name, bench] of Object.entries(all)) if (asked.length === 0 || asked.includes(name)) await bench();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log("");
for (const { name, value, limit, unit } of results) {
  const verdict = value <= limit ? "ok    " : "MISSED";
  console.log(`${verdict} ${name.padEnd(58)} ${value.toFixed(3).padStart(9)} ${unit} (at most ${limit})`);
}

/**
 * A line to a Python REPL and its answer, compared with a C program that echoes, and with a loop that polls every 50
 * ms.
 */
async function benchLines() {
  const python = await timeLines({ program: "python3", args: ["-q"] }, 1_000, "6*7\n");
  const c = await timeLines({ program: prompts, args: ["echo"] }, 1_000, "6*7\n");
  const polled = await timePolling(40);
  show("line to the Python REPL, until it waits again", python, `C echo ${ms(c)}, polling every 50 ms ${ms(polled)}`);
  console.log(`  ratio of medians: ${ratio(python, c)} of C's echo, 1/${ratio(polled, python)} of polling`);
  results.push({ name: "line to the Python REPL, p50", value: median(python), limit: 2, unit: "ms" });
  results.push({ name: "line to the Python REPL, p99", value: percentile(python, 99), limit: 10, unit: "ms" });
}

async function timeLines(options, count, line) {
  const session = await openSession(options);
  await expectInput(session);
  const times = [];
  for (let round = 0; round < count + 50; round += 1) {
    const startedMs = performance.now();
    await session.write(line);
    await expectInput(session);
    if (round >= 50) times.push(performance.now() - startedMs);
  }
  await session.discard({ force: true });
  return times;
}

async function timePolling(count) {
  const session = await openSession({ program: "python3", args: ["-q"] });
  await expectInput(session);
  const times = [];
  for (let round = 0; round < count; round += 1) {
    const from = session.endCursor;
    const startedMs = performance.now();
    await session.write("6*7\n");
    do await sleep(50);
    while (!(await session.readText({ from })).text.includes(">>> "));
    times.push(performance.now() - startedMs);
  }
  await session.discard({ force: true });
  return times;
}

/** From the program's last instruction to the return of the wait, compared with the exit event of child_process. */
async function benchExit() {
  const ours = [];
  const theirs = [];
  for (let round = 0; round < 200; round += 1) {
    const session = await openSession({ program: prompts, args: ["exit"] });
    await expectInput(session);
    await session.write("\n");
    const { reason } = await session.wait({ onInput: false, deadlineMs: DEADLINE_MS });
    const endNs = process.hrtime.bigint();
    if (reason !== "exited") throw new Error(`The wait ended with ${reason}.`);
    ours.push(sinceClock((await session.readText()).text, endNs));
    await session.discard();
    theirs.push(await timeChildExit());
  }
  show("exit of a program to the wait's return", ours, `child_process ${ms(theirs)}`);
  console.log(`  ratio of medians: ${ratio(ours, theirs)} of child_process's`);
  results.push({ name: "exit to the wait's return, p50", value: median(ours), limit: 1, unit: "ms" });
}

async function timeChildExit() {
  const { spawn } = await import("node:child_process");
  const child = spawn(prompts, ["exit"], { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (bytes) => {
    text += bytes;
  });
  child.stdin.end("\n");
  let endNs = 0n;
  child.on("exit", () => {
    endNs = process.hrtime.bigint();
  });
  await new Promise((done) => child.on("close", done));
  return sinceClock(text, endNs);
}

async function benchPassword() {
  const session = await openSession({ program: prompts, args: ["password"] });
  const times = [];
  for (let round = 0; round < 300; round += 1) {
    const yielded = await expectInput(session);
    const endNs = process.hrtime.bigint();
    if (yielded.waitingFor !== "password") throw new Error(`It waits for a ${yielded.waitingFor}.`);
    const { text } = await session.readText({ from: Math.max(0, yielded.cursor - 40) });
    times.push(sinceClock(text, endNs));
    await session.write("tulips\n");
  }
  await session.discard({ force: true });
  show("password prompt printed until it is recognised", times, "polling every 50 ms would take 25 ms at the median");
  results.push({
    name: "password prompt recognised, slowest of 300",
    value: Math.max(...times),
    limit: 30,
    unit: "ms",
  });
}

/** How late a deadline is while the program floods, is stopped, or does nothing. */
async function benchDeadline() {
  const cases = {
    "an idle program": { command: "exec sleep 600" },
    "a flood": { command: "exec yes 'all work and no play'" },
    "a flood that is searched": { command: "exec yes 'all work and no play'", until: /never|(?:all|work)+ forever/ },
    "a stopped program": { command: "kill -STOP $$" },
  };
  console.log("how late a deadline of 100 ms is");
  for (const [name, { until, ...options }] of Object.entries(cases)) {
    const session = await openSession(options);
    const late = [];
    for (let round = 0; round < 15; round += 1) {
      const startedMs = performance.now();
      await session.wait({ deadlineMs: 100, ...(until ? { until } : {}) });
      late.push(performance.now() - startedMs - 100);
    }
    await session.discard({ force: true });
    console.log(`  ${name.padEnd(26)} ${ms(late)}`);
    results.push({ name: `deadline late with ${name}, slowest`, value: Math.max(...late), limit: 50, unit: "ms" });
  }
}

/** 100 sessions with a wait on each, long after their last output, compared with a loop that polls each every 50 ms. */
async function benchIdle() {
  const sessions = await Promise.all(
    Array.from({ length: 100 }, () => openSession({ program: "sleep", args: ["3600"] })),
  );
  const control = new AbortController();
  const waiting = waitForAny(sessions, { signal: control.signal }).catch(() => undefined);
  console.log("100 idle sessions: settling for 85 s, then 40 s of measuring");
  await sleep(85_000);
  const ours = await measureCpu(40_000);
  control.abort();
  await waiting;
  const nothing = await measureCpu(20_000);
  const timer = setInterval(() => {
    for (const session of sessions) void session.readText({ from: session.endCursor });
  }, 50);
  const polled = await measureCpu(5_000);
  clearInterval(timer);
  await Promise.all(sessions.map((session) => session.discard({ force: true })));
  console.log(
    `  waiting ${ours.toFixed(3)} %, not waiting ${nothing.toFixed(3)} %, polling every 50 ms ${polled.toFixed(3)} % of a core`,
  );
  console.log(`  ratio: 1/${(polled / ours).toFixed(0)} of polling`);
  results.push({ name: "100 idle sessions that are waited for", value: ours, limit: 0.1, unit: "% CPU" });
}

async function measureCpu(forMs) {
  const before = process.cpuUsage();
  const startedMs = performance.now();
  await sleep(forMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / (performance.now() - startedMs);
}

async function expectInput(session) {
  const yielded = await session.wait({ deadlineMs: DEADLINE_MS });
  if (yielded.reason !== "input") throw new Error(`The wait ended with ${yielded.reason}.`);
  return yielded;
}

function sinceClock(text, endNs) {
  const clocks = [...text.matchAll(/\[(\d+)\]/g)];
  return Number(endNs - BigInt(clocks.at(-1)[1])) / 1e6;
}

function ratio(one, other) {
  return `${(median(one) / median(other)).toFixed(2)} x`;
}

function ms(times) {
  return `p50 ${median(times).toFixed(2)} p99 ${percentile(times, 99).toFixed(2)} max ${Math.max(...times).toFixed(2)} ms`;
}

function show(name, times, beside) {
  console.log(`${name}: ${ms(times)} (${beside})`);
}
