import { parseLabel } from "./label.ts";
import type { LabelExpression } from "./label-expression.ts";

/** Whether the expression matches a host with these labels. Pure. */
export function matchLabels(expression: LabelExpression, labels: readonly string[]): boolean {
  switch (expression.kind) {
    case "has":
      return labels.some((label) => parseLabel(label)?.key === expression.key);
    case "is":
      return labels.includes(`${expression.key}=${expression.value}`);
    case "not":
      return !matchLabels(expression.of, labels);
    case "all":
      return expression.of.every((part) => matchLabels(part, labels));
    case "any":
      return expression.of.some((part) => matchLabels(part, labels));
  }
}
