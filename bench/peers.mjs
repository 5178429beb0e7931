/**
 * `npm run bench:peers`: limpet and its peers side by side. Fetches the peers from npm into a temporary directory, runs
 * every kind of work with each of them, and writes bench/RESULTS.md with its raw figures and pictures.
 *
 * --only NAME and --work NAME (repeatable) run a part, print it, and write nothing. --scale 0.1 sends a tenth of
 * the 100 MB, --rounds 1 repeats less. --packages DIR keeps the fetched packages there, and uses those that it finds there.
 * --out DIR writes the page elsewhere.
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeNumbers } from "../scripts/docs/numbers.mjs";
import { endWatch, startWatch } from "../scripts/tests/leftovers.mjs";
import { openSshd } from "../test/support/places/sshd.mjs";
import { compare } from "./peers/compare.mjs";
import { contenders } from "./peers/contenders.mjs";
import { install } from "./peers/install.mjs";
import { describeMachine } from "./peers/report/machine.mjs";
import { printRows } from "./peers/report/print-rows.mjs";
import { summarize } from "./peers/report/summarize.mjs";
import { writeResults } from "./peers/report/write-results.mjs";
import { works } from "./peers/works.mjs";

const { values: flags } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    work: { type: "string", multiple: true, default: [] },
    scale: { type: "string", default: "1" },
    rounds: { type: "string", default: "100" },
    packages: { type: "string" },
    out: { type: "string" },
  },
});
const asked = pick(works, flags.work, "work");
const invited = pick(contenders, flags.only, "contender");
const isWhole = flags.only.length === 0 && flags.work.length === 0;
const progress = (line) => process.stderr.write(`  ${line}\n`);

const watch = startWatch();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => endWatch(watch).finally(() => process.exit(1)));
const startedMs = Date.now();
let sshd;
try {
  const entrants = await fetchAll();
  sshd = asked.some(({ name }) => name === "relay") ? await openSshd(watch.dir, {}).catch(() => undefined) : undefined;
  const raw = {
    date: new Date().toISOString(),
    machine: describeMachine(),
    scale: Number(flags.scale),
    contenders: entrants.map(({ contender, version, absent }) => ({ ...about(contender), version, absent })),
    allWorks: works.map(({ name }) => name),
    load: [loadavg()[0].toFixed(1)],
    works: {},
  };
  for (const [index, work] of asked.entries()) {
    const minutes = ((Date.now() - startedMs) / 60_000).toFixed(1);
    progress(`${index + 1} of ${asked.length}: ${work.name} (after ${minutes} min, load ${loadavg()[0].toFixed(1)})`);
    raw.works[work.name] = await compare(work, {
      entrants: entrants.filter(({ absent }) => absent === undefined),
      watch,
      scale: Number(flags.scale),
      rounds: Number(flags.rounds),
      sshConfig: sshd?.env.SSH_CONFIG,
      progress,
    });
  }
  raw.load.push(loadavg()[0].toFixed(1));
  raw.seconds = Math.round((Date.now() - startedMs) / 1000);
  const summary = summarize(raw, asked);
  printRows(summary);
  if (isWhole || flags.out) writeResults(flags.out ?? import.meta.dirname, { raw, summary });
  if (isWhole && !flags.out) writeNumbers();
} finally {
  await sshd?.close();
  const left = await endWatch(watch);
  if (left.length > 0) process.exitCode = 1;
}

async function fetchAll() {
  const directory = flags.packages ?? join(watch.dir, "packages");
  const entrants = [];
  for (const contender of invited) {
    if (!contender.source) {
      entrants.push({ contender });
      continue;
    }
    const installed = await install(contender.source, directory);
    progress(`${contender.name}: ${installed.version ?? `absent: ${installed.why}`}`);
    entrants.push({ contender, installed, version: installed.version, absent: installed.why });
  }
  return entrants;
}

function about({ name, title, isOurs = false, isFloor = false, isLibrary = false, note, source }) {
  return { name, title, isOurs, isFloor, isLibrary, note, spec: source?.spec };
}

function pick(all, names, what) {
  const unknown = names.find((name) => !all.some((each) => each.name === name));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown ${what} "${unknown}". Use one of: ${all.map(({ name }) => name).join(", ")}.\n`);
    process.exit(2);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
