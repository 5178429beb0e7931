/** Pure: writes docs/programs.md from what the zoo found. */
import { GRADES, worstOf } from "./grade.mjs";

const STATES = ["line", "password", "key", "unknown", "none", "exit"];
const KINDS = {
  repl: "Languages that are asked line by line",
  console: "Shells, databases, debuggers",
  prompt: "Programs that ask for one thing",
  "full-screen": "Full-screen programs",
  watcher: "Watchers, servers and test runners",
  relay: "Programs that pass keys on",
  agent: "Agents' own terminal programs",
  nasty: "Programs made to be hard to judge",
};
const GRADE_ORDER = [...GRADES].reverse();
const MEANING = {
  right: "every wait ended in the expected state, with the whole answer",
  late: "the answer was there, and the wait went on for more than 4 s",
  early: "a wait ended before the answer was there",
  broken: "a wait reported another state, or the program did not do what was expected",
};

/**
 * `results`: of `runZoo`. `entries`: of the table. `skipped`: programs that could not be installed, with what they
 * lack. `note`: lines about the run.
 */
export function programsPage({ results, entries, skipped, trials, note = [] }) {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return [
    "# Programs",
    "",
    "When does a wait end, and is the answer whole then? `npm run test:zoo` installs real programs, drives each through",
    "known states and grades every wait. This page is its report; do not edit it. [Waiting](waiting.md) explains how",
    "limpet knows.",
    "",
    `${results.length} programs, ${trials} ${trials === 1 ? "trial" : "trials"} each, ${countSteps(results)} waits.`,
    ...(skipped.length > 0 ? [`${skipped.length} more could not be installed.`] : []),
    "A program has the worst grade of its trials:",
    "",
    ...GRADE_ORDER.map((grade) => `- **${grade}**: ${MEANING[grade]}.`),
    "",
    ...(note.length > 0 ? [...note, ""] : []),
    ...table(["kind", "programs", ...GRADE_ORDER], [...kindRows(results), totalRow(results)]),
    "",
    "## Expected and reported states",
    "",
    "One row for what the program did, one column for what the wait reported. `none`: the program worked or waited for",
    "something else, and the wait went on to its deadline.",
    "",
    ...table(["expected", ...STATES], confusionRows(results)),
    "",
    ...uncertainSection(results, byName),
    ...Object.entries(KINDS).flatMap(([kind, title]) => kindSection(title, ofKind(results, kind), byName)),
    ...skippedSection(skipped),
  ].join("\n");
}

function gradeOf({ trials }) {
  return worstOf(trials.map(({ grade }) => grade));
}

function ofKind(results, kind) {
  return results.filter((result) => result.kind === kind);
}

function stepsOf(results) {
  return results.flatMap(({ trials }) => trials.flatMap(({ steps }) => steps));
}

function countSteps(results) {
  return stepsOf(results).length;
}

function gradeCounts(results) {
  return GRADE_ORDER.map((grade) => results.filter((result) => gradeOf(result) === grade).length);
}

function kindRows(results) {
  return Object.keys(KINDS)
    .filter((kind) => ofKind(results, kind).length > 0)
    .map((kind) => [kind, ofKind(results, kind).length, ...gradeCounts(ofKind(results, kind))]);
}

function totalRow(results) {
  return ["all", results.length, ...gradeCounts(results)];
}

function confusionRows(results) {
  const steps = stepsOf(results);
  const count = (expected, reported) =>
    steps.filter((step) => step.expected === expected && step.reported === reported).length;
  return STATES.map((expected) => [expected, ...STATES.map((reported) => count(expected, reported) || "")]);
}

/** What nobody can know, once for each reason. */
function uncertainSection(results, byName) {
  const reasons = new Map();
  for (const { name } of results) {
    const { why } = byName.get(name) ?? {};
    if (why !== undefined) reasons.set(why, [...(reasons.get(why) ?? []), name]);
  }
  const items = [...reasons].map(([why, names]) => [cell(names.join(", ")), cell(why)]);
  return ["## What is uncertain, and why", "", ...table(["programs", "why"], items), ""];
}

function kindSection(title, results, byName) {
  if (results.length === 0) return [];
  const rows = results.map((result) => {
    const { steps } = byName.get(result.name);
    const states = [...new Set(steps.map(({ waits }) => waits))].join(", ");
    return [cell(result.name), states, gradesOf(result), lagOf(result)];
  });
  return [`## ${title}`, "", ...table(["program", "states", "grade", "median lag"], rows), ""];
}

/** The grade, and in how many trials if they differ. */
function gradesOf(result) {
  const grade = gradeOf(result);
  const count = result.trials.filter((trial) => trial.grade === grade).length;
  return count === result.trials.length ? grade : `${grade} (${count} of ${result.trials.length})`;
}

/** From the last output to the end of the wait, over the waits that ended with the program waiting. */
function lagOf(result) {
  const waits = stepsOf([result]).filter(({ reported }) => reported !== "exit" && reported !== "none");
  const lags = waits.map(({ lagMs }) => lagMs).sort((a, b) => a - b);
  return lags.length === 0 ? "" : `${lags[Math.floor((lags.length - 1) / 2)]} ms`;
}

function skippedSection(skipped) {
  if (skipped.length === 0) return [];
  const rows = skipped.map(({ entry, missing }) => [cell(entry.name), cell(missing.join(", "))]);
  return ["## Not installed", "", ...table(["program", "lacks"], rows), ""];
}

/** Aligned, as the formatter of this project writes tables. */
function table(head, rows) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => String(row[column]).length)));
  const line = (cells) => `| ${cells.map((text, column) => String(text).padEnd(widths[column])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

/** Nothing in a cell ends it, or is taken for markup. */
function cell(text) {
  return text.replace(/[\\|<>*_[\]`$]/g, (char) => `\\${char}`);
}
