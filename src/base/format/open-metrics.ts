/** Metrics as text that monitoring programs read: OpenMetrics 1.0. Pure. */

export interface MetricFamily {
  /** Without the suffix of its samples, such as `_total`. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram" | "info";
  /** One line. */
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

interface MetricSample {
  /** After the name of the family: `_total` of a counter, `_bucket`, `_count` and `_sum` of a histogram. */
  readonly suffix?: "_total" | "_bucket" | "_count" | "_sum" | "_info";
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export const OPEN_METRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

export function openMetrics(families: readonly MetricFamily[]): string {
  return [...families.flatMap(linesOf), "# EOF", ""].join("\n");
}

function linesOf({ name, type, help, samples }: MetricFamily): readonly string[] {
  return [
    `# TYPE ${name} ${type}`,
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(({ suffix = "", labels = {}, value }) => `${name}${suffix}${labelsOf(labels)} ${numberOf(value)}`),
  ];
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** Replaces half of a surrogate pair, which has no UTF-8 form. */
function escaped(text: string): string {
  const named: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };
  return text.replace(/[\\"\n]/g, (character) => named[character] ?? "").replace(/\p{Surrogate}/gu, "\ufffd");
}

function numberOf(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}
