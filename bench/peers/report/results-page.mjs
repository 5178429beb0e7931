/** The page bench/RESULTS.md. */
import { readFileSync } from "node:fs";
import { grid } from "./grid.mjs";
import { jobsTable } from "./jobs-table.mjs";
import { number } from "./summarize.mjs";

const FLOOR = "C";
const PAGE_COLUMNS = 118;
/** Part of the version of a package that somebody has put where the bench looks for it. */
const BUILT = "built from its repository";
const BY_HAND = [
  `A contender that was ${BUILT} is not on the registry that this run used. Where the registry has`,
  "it, the run fetches it like the others; where it does not, it is absent. To measure it nevertheless, clone and build",
  "it, copy the clone to `DIR/NAME-VERSION/node_modules/NAME`, and run `npm run bench:peers -- --packages DIR`. A file",
  "`NOTE` beside `node_modules` says how it came there, and is shown in the table above.",
  "",
];
/** Why limpet is not first in a row: the part that is the same in every run. */
const reasons = JSON.parse(readFileSync(new URL("reasons.json", import.meta.url), "utf8"));

export function resultsPage({ raw, summary, charts }) {
  const { machine, contenders, date, seconds, scale } = raw;
  return [
    "# limpet beside its peers",
    "",
    "Written by `npm run bench:peers`, which fetches the peers from npm into a temporary directory, runs every kind of",
    "work with each of them in turns, and removes everything again. Run it yourself: the figures are of one machine.",
    "",
    `- **Date**: ${date.slice(0, 10)}; the run took ${Math.round(seconds / 60)} minutes${scale === 1 ? "" : `, with ${number(100 * scale)} MB of lines instead of 100`}.`,
    `- **Machine**: ${machine.processors} processors (${machine.processor}), ${machine.memoryGb} GB, ${machine.system}, Linux`,
    `  ${machine.kernel}, Node ${machine.node}.`,
    "- **Figures**: medians; in brackets the least and the most. Raw figures: [peers.json](results/peers.json).",
    "- **limpet** is `limpet mcp` as `limpet setup` installs it, through its host. **In-process** is",
    "  `limpet mcp --in-process`, and **two tools** `limpet mcp --tools codex`. **C** is the least that must be done. None",
    "  of these three is ranked.",
    ...coverage(raw),
    "- **Tokens** are bytes divided by four, of what a model writes (name and arguments of a call) and reads (the text of",
    "  the answer; of a list of tools: names, descriptions and parameters).",
    "",
    ...versions(contenders),
    "## Where limpet is not first",
    "",
    ...notFirst(summary),
    "",
    "## Figures",
    "",
    ...summary.rows.flatMap((row) => table(row, charts)),
    ...jobsTable(raw),
    ...failures(summary),
  ].join("\n");
}

/** A run of a part says so: rows that are missing were not measured. */
function coverage({ works: done, allWorks, load }) {
  const missing = allWorks.filter((name) => done[name] === undefined);
  const busy = `- **Load** of the machine while it ran: ${load.join(" to ")} (1 is one busy processor).`;
  if (missing.length === 0) return [busy];
  return [busy, `- **Only a part was run.** Not measured: ${missing.join(", ")}.`];
}

function versions(contenders) {
  const rows = contenders
    .filter(({ spec }) => spec)
    .map(({ title, spec, version, absent }) => [
      title,
      `\`${spec.slice(0, spec.lastIndexOf("@"))}\``,
      absent === undefined ? version : `absent: ${absent}`,
    ]);
  return [
    "## Contenders",
    "",
    ...grid(["contender", "package", "version"], rows),
    "",
    "node-pty is a library: it is driven through forty lines that do what an author of an agent writes first. Codex is",
    "driven through a server on loopback that stands in for its model, so its times contain one round of its own loop.",
    "Contenders that answer before the work is done are polled: after 10 ms, then less and less often, up to 500 ms; in",
    "the typical jobs once a second, because a model is not faster. Contenders without a way to do some work are marked –.",
    "The reference servers of MCP are not here: none of them runs commands.",
    "",
    ...(contenders.some(({ version = "" }) => version.includes(BUILT)) ? BY_HAND : []),
    ...notes(contenders),
  ];
}

function notes(contenders) {
  const lines = contenders.flatMap(({ absent, note }) => (absent === undefined && note ? wrapped(`- ${note}`) : []));
  return lines.length === 0 ? [] : [...lines, ""];
}

function notFirst({ notFirst: lines, rows }) {
  if (lines.length === 0) return [`limpet is first, or as good as the first, in all ${rows.length} rows.`];
  return lines.flatMap(({ work, key, title, ours, best, by, isLibrary }) => {
    const aside = isLibrary ? " (a library, not a server)" : "";
    const why = reasons[`${work}.${key}`] ?? "Why is not known yet.";
    return wrapped(`- **${title}**: ${ours}, and ${by}${aside} ${best}. ${why}`);
  });
}

/** One item of a list, in lines that fit the page. */
function wrapped(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) === "" ? word : `${lines.at(-1)} ${word}`;
    if (longer.length > PAGE_COLUMNS) lines.push(`  ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function table({ title, cells, ours, better, work, key, words }, charts) {
  const against = ours?.median;
  const rows = cells.map(({ title: name, text, spread, median, isFloor }) => [
    isFloor ? FLOOR : name,
    spread ? `${text} (${spread})` : text,
    words || !against || !median ? "" : ratio({ median, against, better }),
  ]);
  const chart = charts.get(`${work}-${key}`);
  return [
    `### ${title[0].toUpperCase()}${title.slice(1)}`,
    "",
    ...(chart ? [`![${title.replaceAll("`", "")}](${chart})`, ""] : []),
    ...grid(["", better === "less" ? "less is better" : "more is better", "× limpet"], rows),
    "",
  ];
}

function ratio({ median, against }) {
  return number(median / against);
}

function failures({ rows }) {
  const lines = rows.flatMap(({ title, cells }) =>
    cells.filter(({ text }) => text === "failed").map((cell) => `- ${title}, ${cell.title}: ${oneLine(cell.why)}`),
  );
  return lines.length === 0 ? [] : ["## What failed", "", ...new Set(lines), ""];
}

function oneLine(text = "") {
  return text.replaceAll(/\s+/g, " ").slice(0, 160);
}
