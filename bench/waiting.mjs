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
import { localTransport } from "../dist/entries/transport.js";

const DEADLINE_MS = 5_000;
const WORDS = ["line", "password", "key", "early", "none"];
/** Each program answers a line with silent work of random length, then prints that it is done, and waits again. */
const PROMPTING = [
  {
    kind: "key",
    rounds: 200,
    options: { program: "python3", args: ["-q"] },
    line: (round, s) => `import time; time.sleep(${s}); print("done-%d." % ${round})\n`,
  },
  {
    kind: "key",
    rounds: 150,
    options: { program: "bash", args: ["--norc"] },
    line: (round, s) => `sleep ${s}; printf 'done-%d.\\n' ${round}\n`,
  },
  {
    kind: "key",
    rounds: 150,
    options: { program: "node" },
    line: (round, s) =>
      `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${s * 1_000}); "done-" + ${round} + "."\n`,
  },
  {
    kind: "key",
    rounds: 100,
    options: { program: "sqlite3" },
    line: (round) => `select 'done-' || ${round} || '.' from (select count(*) from generate_series(1, 20000));\n`,
  },
  {
    kind: "line",
    rounds: 200,
    options: { command: 'while read -r n s; do sleep "$s"; printf "done-%d.\\nnext? " "$n"; done' },
    line: (round, s) => `${round} ${s}\n`,
  },
  {
    kind: "line",
    rounds: 100,
    options: {
      program: "python3",
      args: [
        "-c",
        'import time\nwhile True:\n n, s = input("next? ").split()\n time.sleep(float(s))\n print(f"done-{n}.")',
      ],
    },
    line: (round, s) => `${round} ${s}\n`,
  },
  {
    kind: "password",
    rounds: 100,
    options: {
      program: "python3",
      args: [
        "-c",
        'import time, getpass\nwhile True:\n n, s = getpass.getpass("Password: ").split()\n time.sleep(float(s))\n print(f"done-{n}.")',
      ],
    },
    line: (round, s) => `${round} ${s}\n`,
  },
];
const SILENT = [
  { program: "sleep", args: ["600"] },
  { program: "python3", args: ["-m", "http.server", "0", "--bind", "127.0.0.1"] },
  { program: "node", args: ["-e", "require('node:http').createServer().listen(0, '127.0.0.1')"] },
  { command: "while :; do echo tick; sleep 0.03; done" },
  { command: "touch log; exec tail -f log" },
  { command: "mkfifo pipe; exec cat <>pipe" },
  { command: "exec 9>lock; flock 9; flock lock true" },
  { command: "while :; do :; done" },
];
const results = [];
const folder = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const prompts = join(folder, "prompts");
execFileSync("cc", ["-O2", "-o", prompts, new URL("programs/prompts.c", import.meta.url).pathname]);

try {
  const all = {
    lines: benchLines,
    exit: benchExit,
    password: benchPassword,
    probe: benchProbe,
    deadline: benchDeadline,
    prompts: benchPrompts,
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
  results.push({ name: "line to the Python REPL, p50", value: at(python, 0.5), limit: 2, unit: "ms" });
  results.push({ name: "line to the Python REPL, p99", value: at(python, 0.99), limit: 10, unit: "ms" });
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
  results.push({ name: "exit to the wait's return, p50", value: at(ours, 0.5), limit: 1, unit: "ms" });
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

/** One observation, by program, compared with one read of a /proc file. */
async function benchProbe() {
  const { readFileSync } = await import("node:fs");
  const file = timeCalls(() => readFileSync("/proc/self/stat", "latin1"));
  const programs = {
    sleep: ["sleep", "600"],
    cat: ["cat"],
    bash: ["bash", "--norc"],
    "bash with 20 jobs": ["bash", "-c", "for i in {1..20}; do sleep 600 & done; wait"],
    "Python REPL": ["python3", "-q"],
    "node REPL (11 threads)": ["node"],
  };
  console.log(`one observation (one file of /proc: ${(file * 1_000).toFixed(0)} µs)`);
  for (const [name, [program, ...args]] of Object.entries(programs)) {
    const channel = await openChannel(program, args);
    await sleep(500);
    const value = timeCalls(() => channel.probe.observe()) * 1_000;
    console.log(
      `  ${name.padEnd(26)} ${value.toFixed(0).padStart(5)} µs, ${(value / file / 1_000).toFixed(1)} files' worth`,
    );
    // Each foreground process costs a few files, so that case is shown without a limit.
    if (!name.includes("jobs"))
      results.push({ name: `one observation of ${name}, p50`, value, limit: 200, unit: "µs" });
    await channel.close({ graceMs: 0 });
  }
}

function openChannel(program, args) {
  const env = { PATH: process.env.PATH, TERM: "xterm-256color", HOME: folder };
  return localTransport.open({
    program,
    args,
    cwd: folder,
    env,
    size: { cols: 80, rows: 24 },
    tty: true,
    onOutput() {},
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

/**
 * A thousand prompts of different programs, each after silent work of random length. A prompt reported too early is
 * wrong, one not reported is missed. Also programs that wait for nothing, for which no prompt may be reported.
 */
async function benchPrompts() {
  const reported = {};
  const count = (expected, seen) => {
    reported[expected] ??= { line: 0, password: 0, key: 0, none: 0, early: 0 };
    reported[expected][seen] += 1;
  };
  await Promise.all(PROMPTING.map((entry) => promptOften(entry, count)));
  for (const options of SILENT) await waitInVain(options, count);
  console.log("prompts: expected and reported");
  console.table(reported);
  const rows = Object.entries(reported);
  const missed = rows.reduce((sum, [kind, row]) => sum + (kind === "none" ? 0 : row.none), 0);
  const wrong = rows.reduce(
    (sum, [kind, row]) =>
      sum + WORDS.reduce((part, word) => part + (word === kind || word === "none" ? 0 : row[word]), 0),
    0,
  );
  results.push({ name: "prompts missed", value: missed, limit: 0, unit: "" });
  results.push({ name: "prompts reported wrongly or too early", value: wrong, limit: 0, unit: "" });
}

async function promptOften({ kind, rounds, options, line }, count) {
  const session = await openSession({ cwd: folder, ...options });
  await session.wait({ deadlineMs: DEADLINE_MS });
  for (let round = 0; round < rounds; round += 1) {
    const from = session.endCursor;
    await session.write(line(round, Math.random() * 0.02));
    const yielded = await session.wait({ deadlineMs: DEADLINE_MS });
    const { text } = await session.readText({ from });
    const isDone = text.includes(`done-${round}.`);
    if (yielded.reason !== "input") count(kind, "none");
    else count(kind, isDone ? yielded.waitingFor : "early");
  }
  await session.discard({ force: true });
}

async function waitInVain(options, count) {
  const session = await openSession({ cwd: folder, ...options });
  for (let round = 0; round < 10; round += 1) {
    const { reason, waitingFor } = await session.wait({ deadlineMs: 100 });
    count("none", reason === "input" ? waitingFor : "none");
  }
  await session.discard({ force: true });
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

function timeCalls(call) {
  const times = [];
  for (let round = 0; round < 2_000; round += 1) {
    const startedMs = performance.now();
    call();
    times.push(performance.now() - startedMs);
  }
  return at(times, 0.5);
}

function at(times, part) {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

function ratio(one, other) {
  return `${(at(one, 0.5) / at(other, 0.5)).toFixed(2)} x`;
}

function ms(times) {
  return `p50 ${at(times, 0.5).toFixed(2)} p99 ${at(times, 0.99).toFixed(2)} max ${Math.max(...times).toFixed(2)} ms`;
}

function show(name, times, beside) {
  console.log(`${name}: ${ms(times)} (${beside})`);
}
