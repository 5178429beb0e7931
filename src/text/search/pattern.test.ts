import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern, type PatternMatch } from "./pattern.ts";

describe("which engine", () => {
  test.each([
    ["error", "native"],
    ["^ready on port \\d+", "native"],
    ["(?:GET|POST) /\\w{1,8}", "native"],
    ["error: .*", "native"],
    ["colou?r", "native"],
    ["\\d+ ms", "linear"],
    ["(a+)+$", "linear"],
    ["(a|a)*b", "linear"],
    ["x*x*x*y", "linear"],
    ["\\s+$", "linear"],
    ["(a{1,20}){1,20}b", "linear"],
    ["(?i)error", "native"],
    ["a(?i)error", "linear"],
  ])("%s is searched by the %s engine", (source, engine) => {
    expect(compilePattern(source).engine).toBe(engine);
  });
});

describe("finds", () => {
  test.each([
    ["error: .*", "an error: disk full", { index: 3, text: "error: disk full" }],
    ["\\d+ ms", "in 12 ms", { index: 3, text: "12 ms" }],
    ["port (?<port>\\d+)", "on port 80", { index: 3, text: "port 80", groups: { port: "80" }, captures: ["80"] }],
    ["(?<n>\\d+) ms", "in 12 ms", { index: 3, text: "12 ms", groups: { n: "12" }, captures: ["12"] }],
    ["(\\d+)/(\\d+)|(none)", "3/4", { index: 0, text: "3/4", captures: ["3", "4", null] }],
    ["é+x", "aéé🎉ééx", { index: 5, text: "ééx" }],
    ["(?i)error", "An ERROR", { index: 3, text: "ERROR" }],
    ["nothing", "here", null],
  ])("%s", (source, text, expected) => {
    expect(compilePattern(source).exec(text)).toEqual(expected);
  });

  test("a RegExp with its flags", () => {
    expect(compilePattern(/ERROR$/im).exec("an error\nnext")).toEqual({ index: 3, text: "error" });
    expect(compilePattern(/a.+b$/gis).exec("xA\nB")).toEqual({ index: 1, text: "A\nB" });
  });

  test("the same again from the start each time", () => {
    const pattern = compilePattern(/a/g);

    expect([pattern.test("a"), pattern.test("a"), pattern.exec("a")?.index]).toEqual([true, true, 0]);
  });
});

describe("what is refused says what to do", () => {
  test.each([
    ["(?=a)b", "looks ahead or behind"],
    ["(?<!a)b", "looks ahead or behind"],
    ["(a)\\1", "refers back to a group"],
    ["(?<x>a)\\k<x>", "refers back to a group"],
    ["(a", "cannot be read: missing closing )"],
    ["a{2000}", "cannot be read: invalid repeat count"],
    ["[\\w]{900}[\\d]{900}".repeat(12), "steps per character"],
    ["x".repeat(5_000), "5000 characters"],
  ])("%s", (source, message) => {
    expect(() => compilePattern(source)).toThrow(expect.objectContaining({ code: "BAD_PATTERN" }));
    expect(() => compilePattern(source)).toThrow(message);
  });

  test("what only looks like lookaround is accepted", () => {
    expect(compilePattern("\\(\\?=a").test("(?=a")).toBe(true);
    expect(compilePattern("[(?=]+").test("?")).toBe(true);
  });
});

test.each(["(a+)+$", "(a|aa)*c", "(.*a){12}b", "a*a*a*a*b", "^(\\w+\\s?)*$", "x?".repeat(200) + "x".repeat(200)])(
  "%s ends on a text made to make it backtrack",
  (source) => {
    expect(compilePattern(source).exec(`${"a".repeat(50_000)}!`)?.text ?? null).not.toBe("!");
  },
);

const atoms = fc.constantFrom("a", "b", ".", "\\d", "\\w", "[ab]", "[^a]", "(a)", "(?:a|b)", "ab", "^", "$", "\\b");
const anyPattern = fc
  .array(fc.tuple(atoms, fc.constantFrom("", "", "?", "*", "+", "{2}", "{1,3}", "*?")), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([atom, times]) => (/^[\^$]|^\\b/.test(atom) ? atom : atom + times)).join(""));

function describeMatch(match: RegExpExecArray): PatternMatch {
  const [text, ...groups] = match;
  const captures = groups.map((group: string | undefined) => group ?? null);
  return { index: match.index, text, ...(captures.length === 0 ? {} : { captures }) };
}

test("finds what V8 finds", () => {
  fc.assert(
    fc.property(anyPattern, fc.stringMatching(/^[ab1 ]{0,20}$/), (source, text) => {
      const expected = new RegExp(source).exec(text);

      const pattern = compilePattern(source);
      expect(pattern.exec(text)).toEqual(expected === null ? null : describeMatch(expected));
      if (expected !== null) expect(expected[0]).toContain(pattern.literal);
    }),
    { numRuns: 3_000 },
  );
});

test.each([5, null, {}, ["x"]])("%o is refused as a pattern", (given) => {
  expect(() => compilePattern(given as unknown as string)).toThrow(
    expect.objectContaining({ name: "LimpetError", code: "BAD_PATTERN" }),
  );
});

test("in a text ^ and $ stand for the ends of lines, in a RegExp for what its flags say", () => {
  const found = (source: string | RegExp) => compilePattern(source).exec("one\ntwo\nthree")?.text;

  expect([found("^two$"), found(/^two$/), found(/^two$/m), found("^(?:two){1,2}$")]).toEqual([
    "two",
    undefined,
    "two",
    "two",
  ]);
});
