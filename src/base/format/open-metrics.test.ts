import fc from "fast-check";
import { expect, test } from "vitest";
import { readOpenMetrics } from "../../../test/support/read-open-metrics.ts";
import { Histogram } from "./histogram.ts";
import { openMetrics } from "./open-metrics.ts";

test("a strict parser reads back every label value and help text, whatever is in them", () => {
  const text = fc.string({ unit: "binary" });

  fc.assert(
    fc.property(text, text, fc.double(), (help, label, value) => {
      const line = help.replaceAll("\r", " ");
      const family = { name: "x", type: "gauge", help: line, samples: [{ labels: { a: label }, value }] } as const;

      const read = readOpenMetrics(openMetrics([family])).get("x");

      expect(read).toEqual({
        type: "gauge",
        help: line,
        samples: [{ name: "x", labels: { a: label }, value: value + 0 }],
      });
    }),
  );
});

test("the parser refuses what is not OpenMetrics", () => {
  const wrong = [
    "",
    "# TYPE x gauge\nx 1\n",
    "# TYPE x gauge\nx 1\n# EOF",
    "x 1\n# EOF\n",
    "# TYPE x counter\nx 1\n# EOF\n",
    '# TYPE x gauge\nx{a="b"c"} 1\n# EOF\n',
    "# TYPE x gauge\nx one\n# EOF\n",
    "# TYPE x gauge\n# TYPE x gauge\n# EOF\n",
    '# TYPE x histogram\nx_bucket{le="1"} 1\nx_count 1\nx_sum 1\n# EOF\n',
  ];

  for (const text of wrong) expect(() => readOpenMetrics(text)).toThrow();
});

test("a histogram counts each duration once, in every bucket above it", () => {
  const histogram = new Histogram([0.1, 1]);
  for (const seconds of [0.05, 0.1, 0.5, 7]) histogram.add("run", seconds);

  const family = histogram.family({ name: "turn_seconds", help: "Turns.", label: "kind" });
  const { samples = [] } = readOpenMetrics(openMetrics([family])).get("turn_seconds") ?? {};

  expect(samples.map(({ name, labels, value }) => [name, labels["le"], value])).toEqual([
    ["turn_seconds_bucket", "0.1", 2],
    ["turn_seconds_bucket", "1", 3],
    ["turn_seconds_bucket", "+Inf", 4],
    ["turn_seconds_count", undefined, 4],
    ["turn_seconds_sum", undefined, 7.65],
  ]);
});
