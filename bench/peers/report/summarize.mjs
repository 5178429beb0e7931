/** Pure: the rows of the tables from the raw figures, and who is first in each. */
import { median } from "../median.mjs";

const OURS = "limpet";
/** A difference below this is noise. */
const NOISE = 0.02;
const SINGULAR = { calls: "call", processes: "process" };

export function summarize(raw, works) {
  const rows = works.flatMap((work) =>
    Object.entries(work.metrics).map(([key, metric]) => asRow(raw, { work: work.name, key, metric })),
  );
  return { rows, notFirst: rows.flatMap(describeNotFirst) };
}

function asRow(raw, { work, key, metric }) {
  const ours = raw.works[work]?.[OURS]?.samples[0];
  const cells = raw.contenders
    .filter(({ absent }) => absent === undefined)
    .flatMap((contender) => {
      const result = raw.works[work]?.[contender.name];
      return result === undefined ? [] : [asCell(contender, result, { key, metric, ours })];
    })
    .filter((cell) => !cell.isFloor || cell.median !== undefined);
  const ranked = cells.filter(({ isFloor, isOurs, median: value }) => !isFloor && !isOurs && value !== undefined);
  const best = ranked.toSorted((a, b) => (metric.better === "less" ? a.median - b.median : b.median - a.median))[0];
  return { work, key, ...metric, cells, best, ours: cells.find(({ name }) => name === OURS) };
}

function asCell({ name, title, isFloor, isOurs, isLibrary }, { samples, failure, unable }, { key, metric, ours }) {
  const about = { name, title, isFloor, isOurs, isLibrary };
  const read = (sample) => (metric.relate ? metric.relate(sample, ours) : sample[key]);
  const values = samples.map(read).filter((value) => value !== undefined);
  if (values.length === 0) return { ...about, text: failure ? "failed" : "–", why: failure ?? unable };
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const middle = median(values);
  return { ...about, median: middle, least, most, text: show(middle, metric), spread: spread(least, most, metric) };
}

/** One line for each row in which limpet is not first. */
function describeNotFirst({ title, ours, best, better, isAside, unit, words, isExact, work, key }) {
  if (isAside || ours?.median === undefined || best === undefined) return [];
  const margin = isExact ? 0 : Math.abs(ours.median) * NOISE;
  const lead = better === "less" ? ours.median - best.median : best.median - ours.median;
  if (lead <= margin) return [];
  const than = (cell) => show(cell.median, { unit, words });
  return [{ work, key, title, ours: than(ours), best: than(best), by: best.title, isLibrary: best.isLibrary }];
}

function spread(least, most, metric) {
  if (metric.words || metric.isExact || least === most) return undefined;
  return `${number(least)} to ${number(most)}`;
}

function show(value, { unit, words }) {
  if (words) return words[value];
  return `${number(value)} ${value === 1 ? (SINGULAR[unit] ?? unit) : unit}`;
}

export function number(value) {
  if (value === 0) return "0";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(Math.abs(value) >= 10 ? 3 : 2)));
}
