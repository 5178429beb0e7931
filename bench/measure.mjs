/** Shared by all benchmarks: flags, progress, medians, and the rows of the table. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { scale: { type: "string", default: "1" }, rounds: { type: "string" } },
  // Some name the parts that they run.
  allowPositionals: true,
});

/** `--scale 0.1` reduces all counts to a tenth, for a quick trial. */
export function scaled(count) {
  return Math.max(1, Math.round(count * Number(values.scale)));
}

/** `--rounds 3` makes them fewer, or more. */
export function roundsOf(count) {
  return Number(values.rounds ?? count);
}

/**
 * Runs both sides alternately, ours first, and returns the results of each round, so that other work on the machine
 * affects both equally. Compare the median of the rounds' ratios.
 */
export async function alternate({ name, rounds, ours, floor, show, floorName = "C" }) {
  const found = { ours: [], floor: [] };
  const count = roundsOf(rounds);
  for (let round = 1; round <= count; round += 1) {
    found.ours.push(await ours());
    found.floor.push(await floor());
    progress(`${name} ${round}/${count}: ours ${show(found.ours.at(-1))}, ${floorName} ${show(found.floor.at(-1))}`);
  }
  return found;
}

/** Calls in one way before the other way follows, so that other work on the machine affects both equally. */
const BATCH = 10;

/**
 * Makes the same call through a host and in-process, in turns. Returns the p50 of each way in each round, and their
 * differences, in milliseconds. The first round warms up and does not count. `pauseMs` pauses between calls like an
 * agent, because some things take longer after a pause.
 */
export async function inTurns({ name, rounds, times, there, here, pauseMs = 0 }) {
  const ways = { there: [], here: [] };
  const count = roundsOf(rounds);
  for (let round = 0; round <= count; round += 1) {
    const took = { there: [], here: [] };
    while (took.here.length < times) {
      for (let i = 0; i < BATCH; i += 1) took.there.push(await timedAfter(pauseMs, there));
      for (let i = 0; i < BATCH; i += 1) took.here.push(await timedAfter(pauseMs, here));
    }
    const [thereMs, hereMs] = [median(took.there), median(took.here)];
    progress(`${name} ${round}/${count}: host ${thereMs.toFixed(3)} ms, in-process ${hereMs.toFixed(3)} ms`);
    if (round === 0) continue;
    ways.there.push(thereMs);
    ways.here.push(hereMs);
  }
  return { ways, extraMs: ways.there.map((ms, round) => ms - ways.here[round]) };
}

async function timedAfter(pauseMs, action) {
  if (pauseMs > 0) await sleep(pauseMs);
  return await timed(action);
}

/** Milliseconds until `action` is done. */
export async function timed(action) {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}

/** The median, and the least and the most beside it. */
export function showSpread(numbers, sign = "") {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return `${sign}${median(numbers).toFixed(2)} ms (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

export function progress(line) {
  process.stderr.write(`  ${line}\n`);
}

/** One row of the table. `isMet` is undefined if a figure has no target. */
export function report(rows) {
  for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
}

/** For wrong results, not slow ones: ends the run with an error. */
export function mustHold(holds, what) {
  if (!holds) throw new Error(what);
}

export function median(numbers) {
  return percentile(numbers, 50);
}

export function percentile(numbers, percent) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
}

export function ratios(ours, floor) {
  return ours.map((value, index) => value / floor[index]);
}

/** Resident bytes, and those not backed by a file: our own memory without shared code. */
export function residentBytes() {
  const status = readFileSync("/proc/self/status", "latin1");
  const read = (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) * 1024;
  return { all: read("VmRSS"), anonymous: read("RssAnon"), threads: read("Threads") / 1024 };
}
