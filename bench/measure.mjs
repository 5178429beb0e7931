/** What the benchmarks have in common: flags, progress, medians, and the rows of the table. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { scale: { type: "string", default: "1" }, rounds: { type: "string" } } });

/** `--scale 0.1` makes everything a tenth, for a quick trial. */
export function scaled(count) {
  return Math.max(1, Math.round(count * Number(values.scale)));
}

/**
 * Runs both sides alternately, ours first, and gives back what each round gave: this way the machine's other work
 * falls on both alike. The median of the rounds' ratios is what counts.
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

/** One line of the table. `isMet` may be undefined where a figure has no target of its own. */
export function report(rows) {
  for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
}

/** A broken promise, not a slow one: the run ends with an error. */
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

/** Bytes resident now, and how many of them belong to no file: what is ours, without shared code. */
export function residentBytes() {
  const status = readFileSync("/proc/self/status", "latin1");
  const read = (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) * 1024;
  return { all: read("VmRSS"), anonymous: read("RssAnon"), threads: read("Threads") / 1024 };
}
