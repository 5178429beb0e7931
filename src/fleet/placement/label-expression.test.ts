import fc from "fast-check";
import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { requireLabels } from "./label.ts";
import type { LabelExpression } from "./label-expression.ts";
import { matchLabels } from "./match-labels.ts";
import { parseLabelExpression } from "./parse-label-expression.ts";

const word = fc.constantFrom("gpu", "zone", "a", "b", "rack-7", "x.y/z");

const { expression } = fc.letrec<{ expression: LabelExpression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constant("has" as const), key: word }),
    fc.record({ kind: fc.constant("is" as const), key: word, value: word }),
    fc.record({ kind: fc.constant("not" as const), of: tie("expression") }),
    fc.record({
      kind: fc.constantFrom("all" as const, "any" as const),
      of: fc.array(tie("expression"), { minLength: 2, maxLength: 3 }),
    }),
  ),
}));

function write(expression: LabelExpression): string {
  switch (expression.kind) {
    case "has":
      return expression.key;
    case "is":
      return `${expression.key}=${expression.value}`;
    case "not":
      return `!(${write(expression.of)})`;
    case "all":
      return `(${expression.of.map(write).join(" && ")})`;
    case "any":
      return `(${expression.of.map(write).join("||")})`;
  }
}

test("what is written in parentheses is read as it was meant", () => {
  fc.assert(
    fc.property(expression, (meant) => {
      expect(parseLabelExpression(write(meant))).toEqual(meant);
    }),
  );
});

test("! binds more tightly than &&, and && more tightly than ||", () => {
  const found = parseLabelExpression("!gpu && zone=a || zone!=b");

  expect(found).toEqual({
    kind: "any",
    of: [
      {
        kind: "all",
        of: [
          { kind: "not", of: { kind: "has", key: "gpu" } },
          { kind: "is", key: "zone", value: "a" },
        ],
      },
      { kind: "not", of: { kind: "is", key: "zone", value: "b" } },
    ],
  });
});

test.each([
  ["gpu && zone=a", ["gpu", "zone=a"], true],
  ["gpu && zone=a", ["gpu=h100", "zone=a"], true],
  ["gpu && zone=a", ["gpu", "zone=b"], false],
  ["gpu && (zone=a || zone=b)", ["zone=b", "gpu"], true],
  ["zone", ["zone=a"], true],
  ["zone=a", ["zone"], false],
  ["zone!=a", [], true],
  ["!gpu", ["gpus"], true],
] as const)("%s for a host with %j: %s", (text, labels, isMeant) => {
  expect(matchLabels(parseLabelExpression(text), labels)).toBe(isMeant);
});

test("a negation holds for exactly the hosts for which its inside does not", () => {
  const labels = fc.uniqueArray(fc.constantFrom("gpu", "zone=a", "rack-7=b", "x.y/z"));

  fc.assert(
    fc.property(expression, labels, (meant, given) => {
      expect(matchLabels({ kind: "not", of: meant }, given)).toBe(!matchLabels(meant, given));
    }),
  );
});

test.each([
  ["", "its end at character 1, where it needs a label, ! or ("],
  ["gpu &&", "its end at character 7, where it needs a label, ! or ("],
  ["gpu & zone=a", '"& zone=a" at character 5, where it needs a label, &&, ||, !, ( or )'],
  ["gpu zone", '"zone" at character 5, where it needs &&, || or the end'],
  ["(gpu", "its end at character 5, where it needs &&, || or )"],
  ["gpu)", '")" at character 4, where it needs &&, || or the end'],
  ["zone=", "its end at character 6, where it needs a value"],
  ["zone=a=b", '"=b" at character 7, where it needs &&, || or the end'],
  ["=a", '"=a" at character 1, where it needs a label, ! or ('],
  ["-x", '"-x" at character 1, where it needs a label, &&, ||, !, ( or )'],
])("%j is refused with the character and what it needs there", (text, problem) => {
  expect(() => parseLabelExpression(text)).toThrow(
    `The label expression ${JSON.stringify(text)} has ${problem}. Write it like: gpu && (zone=a || zone=b).`,
  );
});

test("any text is read or refused with BAD_OPTION, however deep it is", () => {
  const pieces = fc.array(fc.constantFrom("gpu", "=", "!=", "!", "&&", "||", "(", ")", " ", "&", "ü", "\0", "zone=a"));

  fc.assert(
    fc.property(pieces, (parts) => {
      expect([undefined, "BAD_OPTION"]).toContain(codeOfThrown(() => parseLabelExpression(parts.join(""))));
    }),
  );
  expect(codeOfThrown(() => parseLabelExpression("(".repeat(999)))).toBe("BAD_OPTION");
  expect(codeOfThrown(() => parseLabelExpression("!".repeat(999)))).toBe("BAD_OPTION");
  expect(codeOfThrown(() => parseLabelExpression("x".repeat(100_000)))).toBe("BAD_OPTION");
});

test("labels that no expression can name are refused", () => {
  expect(() => requireLabels(["gpu", "zone=a"])).not.toThrow();
  for (const labels of [[""], ["a b"], ["=a"], ["zone="], ["-x"], ["a=b=c"], ["gpu", "gpu=2"], ["ü"]])
    expect(codeOfThrown(() => requireLabels(labels))).toBe("BAD_OPTION");
});
