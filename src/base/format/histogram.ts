import type { MetricFamily } from "./open-metrics.ts";

/** Counts how long things took, by one label. */
export class Histogram {
  readonly #upToSeconds: readonly number[];
  readonly #byLabel = new Map<string, { readonly counts: number[]; sum: number }>();

  constructor(upToSeconds: readonly number[]) {
    this.#upToSeconds = upToSeconds;
  }

  /** Use few different labels: each has its own counts in memory. */
  add(label: string, seconds: number): void {
    const found = this.#byLabel.get(label) ?? { counts: new Array(this.#upToSeconds.length + 1).fill(0), sum: 0 };
    this.#byLabel.set(label, found);
    const index = this.#upToSeconds.findIndex((bound) => seconds <= bound);
    const bucket = index < 0 ? this.#upToSeconds.length : index;
    found.counts[bucket] = (found.counts[bucket] ?? 0) + 1;
    found.sum += seconds;
  }

  family({
    name,
    help,
    label,
  }: {
    readonly name: string;
    readonly help: string;
    readonly label: string;
  }): MetricFamily {
    const samples = [...this.#byLabel].flatMap(([value, { counts, sum }]) => {
      let total = 0;
      const buckets = counts.map((count, index) => {
        total += count;
        const le = this.#upToSeconds[index];
        return {
          suffix: "_bucket" as const,
          labels: { [label]: value, le: le === undefined ? "+Inf" : String(le) },
          value: total,
        };
      });
      return [
        ...buckets,
        { suffix: "_count" as const, labels: { [label]: value }, value: total },
        { suffix: "_sum" as const, labels: { [label]: value }, value: sum },
      ];
    });
    return { name, type: "histogram", help, samples };
  }
}
