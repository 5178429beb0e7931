/**
 * Reads OpenMetrics 1.0 and refuses everything that the specification does not allow: families that are not together,
 * samples of another type, labels that are not escaped, histograms whose buckets do not add up, a missing end.
 */

interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ReadFamily {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly ReadSample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ["_total", "_created"],
  gauge: [""],
  histogram: ["_bucket", "_count", "_sum", "_created"],
  info: ["_info"],
};

export function readOpenMetrics(text: string): ReadonlyMap<string, ReadFamily> {
  if (!text.endsWith("\n# EOF\n") && text !== "# EOF\n") throw new Error("The text does not end with # EOF.");
  const families = new Map<string, { type: string; help: string; samples: ReadSample[] }>();
  let current = "";
  for (const line of text.slice(0, -"# EOF\n".length).split("\n").slice(0, -1)) {
    const [, word, name = "", rest = ""] = /^# (TYPE|HELP|UNIT) (\S+) (.*)$/.exec(line) ?? [];
    if (word === "TYPE") {
      if (!NAME.test(name) || families.has(name)) throw new Error(`A family twice, or a bad name: ${line}`);
      if (!Object.hasOwn(SUFFIXES, rest)) throw new Error(`An unknown type: ${line}`);
      families.set(name, { type: rest, help: "", samples: [] });
      current = name;
    } else if (word === "HELP") {
      const family = families.get(name);
      if (!family || name !== current || family.samples.length > 0) throw new Error(`Help out of place: ${line}`);
      family.help = unescaped(rest);
    } else if (line.startsWith("#")) throw new Error(`A comment that is not allowed: ${line}`);
    else readSample(line, current, families.get(current));
  }
  for (const [name, { type, samples }] of families) if (type === "histogram") requireHistogram(name, samples);
  return families;
}

function readSample(line: string, name: string, family?: { readonly type: string; readonly samples: ReadSample[] }) {
  const found = /^([^{ ]+)(?:\{(.*)\})? (\S+)$/s.exec(line);
  const [, full = "", labels, value = ""] = found ?? [];
  if (!found || !family) throw new Error(`Not a sample: ${line}`);
  const isOwn = (SUFFIXES[family.type] ?? []).some((suffix) => full === `${name}${suffix}`);
  if (!isOwn) throw new Error(`A sample of another family or type: ${line}`);
  const sample = { name: full, labels: readLabels(labels ?? "", line), value: readNumber(value, line) };
  const key = JSON.stringify([full, Object.entries(sample.labels).sort()]);
  if (family.samples.some((one) => JSON.stringify([one.name, Object.entries(one.labels).sort()]) === key))
    throw new Error(`A sample twice: ${line}`);
  if (family.type === "counter" && !(sample.value >= 0)) throw new Error(`A counter below zero: ${line}`);
  family.samples.push(sample);
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== "") {
    const found = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=.)|$)/s.exec(rest);
    const [all = "", key = "", value = ""] = found ?? [];
    if (!found || Object.hasOwn(labels, key)) throw new Error(`Labels that cannot be read: ${line}`);
    labels[key] = unescaped(value);
    rest = rest.slice(all.length);
  }
  return labels;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, character) => (character === "n" ? "\n" : character));
}

function readNumber(text: string, line: string): number {
  if (text === "+Inf") return Number.POSITIVE_INFINITY;
  if (text === "-Inf") return Number.NEGATIVE_INFINITY;
  if (text === "NaN") return Number.NaN;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) throw new Error(`Not a number: ${line}`);
  return Number(text);
}

/** Per set of other labels: rising bounds that end with +Inf, rising counts, the last of which is the count. */
function requireHistogram(name: string, samples: readonly ReadSample[]): void {
  const groups = new Map<string, ReadSample[]>();
  for (const sample of samples) {
    const { le: _, ...others } = sample.labels;
    const key = JSON.stringify(Object.entries(others).sort());
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => readNumber(labels["le"] ?? "", key));
    const counts = buckets.map(({ value }) => value);
    const isRising = (values: readonly number[]) =>
      values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0));
    if (!isRising(bounds) || bounds.at(-1) !== Number.POSITIVE_INFINITY || !isRising(counts))
      throw new Error(`Buckets of ${name} ${key} do not rise to +Inf.`);
    if (group.find((sample) => sample.name === `${name}_count`)?.value !== counts.at(-1))
      throw new Error(`The count of ${name} ${key} is not that of its last bucket.`);
    if (!group.some((sample) => sample.name === `${name}_sum`)) throw new Error(`${name} ${key} has no sum.`);
  }
}
