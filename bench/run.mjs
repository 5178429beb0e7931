/**
 * `npm run bench [names…] [-- --scale 0.1]`: runs each benchmark in its own process and prints one table. All of them
 * run with fewer rounds, so that they take less than five minutes; one that is named runs with all.
 *
 * A missed target is reported but is not an error; lost bytes and crashes are.
 */
import { spawn } from "node:child_process";
import { loadavg } from "node:os";
import { join } from "node:path";
import { missingNeeds, table } from "../scripts/tests/missing-needs.mjs";

const NAMES = [
  "spawn",
  "throughput",
  "lossless",
  "many-sessions",
  "heap",
  "mcp",
  "host",
  "screen",
  "shell",
  "sandbox",
  "places",
  "fleet",
];
/** Programs, by their names in test/support/needs.json. A benchmark is skipped without them. */
const NEEDS = {
  spawn: ["gcc"],
  throughput: ["gcc"],
  lossless: ["gcc"],
  "many-sessions": ["gcc"],
  mcp: ["gcc", "python3"],
  places: ["sshd", "ssh-keygen"],
  fleet: ["nats-server"],
};
const COLUMNS = ["figure", "ours", "floor", "ratio", "target", "met"];
/** Memory is measured after a garbage collection, and the heap benchmark holds a gigabyte. */
const NODE_FLAGS = ["--expose-gc", "--max-old-space-size=4096"];

const SCALE_OF_ALL = "0.4";

const asked = process.argv.slice(2);
const flagsAt = asked.findIndex((word) => word.startsWith("--"));
const given = flagsAt < 0 ? [] : asked.slice(flagsAt);
const flags = asked.length > 0 ? given : ["--scale", SCALE_OF_ALL];
const names = flagsAt < 0 ? asked : asked.slice(0, flagsAt);
const unknown = names.find((name) => !NAMES.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`Unknown benchmark "${unknown}". Use one of: ${NAMES.join(", ")}.\n`);
  process.exit(2);
}

const rows = [];
let broken = 0;
const missing = missingNeeds();
for (const name of names.length > 0 ? names : NAMES) {
  const lacking = (NEEDS[name] ?? []).filter((need) => missing.includes(need));
  if (lacking.length > 0) {
    const packages = lacking.flatMap((need) => table[need].packages).join(" ");
    process.stderr.write(`${name}: skipped without ${lacking.join(" and ")}. On Debian: apt-get install ${packages}\n`);
    rows.push(asCells({ figure: name, ours: `skipped without ${lacking.join(" and ")}` }));
    continue;
  }
  process.stderr.write(`${name} (load ${loadavg()[0]?.toFixed(1)})\n`);
  const { code, output } = await run(name);
  for (const line of output.split("\n").filter(Boolean)) rows.push(asCells(JSON.parse(line)));
  if (code !== 0) broken += 1;
}
printTable(rows);
if (broken > 0) process.stderr.write(`${broken} benchmarks failed. See the output above.\n`);
process.exitCode = broken > 0 ? 1 : 0;

function run(name) {
  const file = join(import.meta.dirname, `${name}.mjs`);
  const child = spawn(process.execPath, [...NODE_FLAGS, file, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

function asCells({ figure, ours, floor = "", ratio, target = "", isMet }) {
  const met = isMet === undefined ? "" : isMet ? "yes" : "NO";
  return { figure, ours, floor, ratio: ratio === undefined ? "" : ratio.toFixed(2), target, met };
}

function printTable(cells) {
  const width = (column) => Math.max(column.length, ...cells.map((row) => row[column].length));
  const line = (row) =>
    COLUMNS.map((column) => row[column].padEnd(width(column)))
      .join("  ")
      .trimEnd();
  console.log(line(Object.fromEntries(COLUMNS.map((column) => [column, column]))));
  for (const row of cells) console.log(line(row));
}
