/** Shared by all benchmarks: flags, progress, medians, and the rows of the table. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { scale: { type: "string", default: "1" }, rounds: { type: "string" } } });

/** `--scale 0.1` reduces all counts to a tenth, for a quick trial. */
export function scaled(count) {
  return Math.max(1, Math.round(count * Number(values.scale)));
}

/**
 * Runs both sides alternately, ours first, and returns the results of each round, so that other work on the machine
 * affects both equally. Compare the median of the rounds' ratios.
 */
export async function alternate({ name, rounds, ours, floor, show, floorName = "C" }) {
  const found = { ours: [], floor: [] };
  const count = Number(values.rounds ?? rounds);
  for (let round = 1; round <= count; round += 1) {
    found.ours.push(await ours());
    found.floor.push(await floor());
    progress(`${name} ${round}/${count}: ours ${show(found.ours.at(-1))}, ${floorName} ${show(found.floor.at(-1))}`);
  }
  return found;
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
