/**
 * `npm run seeds`: writes docs/seeds.md from the lists in test/seeds/. A test compares the page with `seedsPage()` and
 * checks that every named test exists.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, root } from "./run.mjs";

const LISTS = join(root, "test/seeds");
const PAGE = join(root, "docs/seeds.md");
const ORDER = ["pty-crate", "execkit", "streamable-shell", "agent-tools"];
const VERDICTS = ["same", "better", "different"];

/** The documents with their stated behaviours, in the order of the page. */
export function readSeeds() {
  const names = readdirSync(LISTS).filter((name) => name.endsWith(".json"));
  const known = names.map((name) => name.replace(/\.json$/, ""));
  const order = [...ORDER, ...known.filter((name) => !ORDER.includes(name)).sort()];
  return order.map((name) => JSON.parse(readFileSync(join(LISTS, `${name}.json`), "utf8")));
}

export function seedsPage(seeds = readSeeds()) {
  const all = seeds.flatMap(behavioursOf);
  return [
    "# The seeds, behaviour by behaviour",
    "",
    "limpet began with four documents that describe how others run programs in terminals for agents. This page lists each",
    "behaviour that they state, in our words, whether limpet does the same, and the test that shows it. `npm run seeds`",
    "writes it from `test/seeds/`.",
    "",
    "- **same**: limpet does what the document says, in the profile that promises it or in the library.",
    "- **better**: what worked still works, and what failed or was lost does not.",
    "- **different**: limpet does something else, for the reason that is given.",
    "",
    ...table(
      ["document", "stated", ...VERDICTS],
      [...seeds.map((seed) => [seed.title, ...countsOf(behavioursOf(seed))]), ["all", ...countsOf(all)]],
    ),
    "",
    ...seeds.flatMap(section),
  ].join("\n");
}

function section({ title, about, groups }) {
  return [`## ${title}`, "", about, "", ...groups.flatMap(group)];
}

function group({ about, behaviours }) {
  const rows = behaviours.map(({ id, statement, verdict, reason, test }) => [
    id,
    cell(statement),
    verdict + (reason ? `: ${cell(reason)}` : ""),
    `\`${test.file}\`: ${cell(test.title)}`,
  ]);
  return [`### ${about}`, "", ...table(["id", "the document states", "limpet", "shown by"], rows), ""];
}

/** Aligned, as the formatter of this project writes tables. */
function table(head, rows) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => String(row[column]).length)));
  const line = (cells) => `| ${cells.map((text, column) => String(text).padEnd(widths[column])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

function countsOf(behaviours) {
  return [behaviours.length, ...VERDICTS.map((each) => behaviours.filter(({ verdict }) => verdict === each).length)];
}

export function behavioursOf({ groups }) {
  return groups.flatMap(({ behaviours }) => behaviours);
}

/** Escapes characters that would end the cell or act as markup. */
function cell(text) {
  return text.replace(/[\\|<>*_[\]`$]/g, (char) => `\\${char}`);
}

if (isMain(import.meta.url)) writeFileSync(PAGE, seedsPage());
