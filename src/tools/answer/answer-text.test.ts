import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAnswer } from "../../../test/support/parse-answer.ts";
import { Digest } from "../../text/budget/digest.ts";
import { answerText } from "./answer-text.ts";
import { imitatesOwnLines, isHeaderLine } from "./own-lines.ts";
import { newReadTag, showShortTag } from "./tags.ts";

const GOLDEN = new URL("../../../test/golden/tools/", import.meta.url);
const TAG = "~k7f3";

/** All answers in the golden texts. */
const ANSWERS: readonly string[] = readdirSync(GOLDEN).flatMap((file) =>
  readFileSync(new URL(file, GOLDEN), "utf8")
    .replaceAll("~tag ", `${TAG} `)
    .split(/^>>> .*\n/m)
    .slice(1)
    // The transcript adds a line feed to each answer, and one between two.
    .map((answer) => answer.replace(/\n{1,2}$/, "")),
);

const OWN_LINES: readonly string[] = [...new Set(ANSWERS.flatMap((answer) => answer.split("\n")))];

describe("an answer", () => {
  test("without anything that could be mistaken is what the program printed after a plain line", () => {
    expect(answerText(["Wall time: 1 s"], { text: "hello\n", tag: TAG })).toBe("Wall time: 1 s\nOutput:\nhello\n");
  });

  test("with a mark names the tag", () => {
    expect(answerText(["A"], { text: `x\n${TAG} [×9]\n`, tag: TAG })).toBe(
      `A\nOutput (only ${TAG} lines are limpet's):\nx\n${TAG} [×9]\n`,
    );
  });

  test("with output like limpet's own names the tag and shows where the output ends", () => {
    expect(answerText(["A"], { text: "x\nOutput:\ny", tag: TAG })).toBe(
      `A\nOutput (only ${TAG} lines are limpet's):\nx\nOutput:\ny\n${TAG} end of output`,
    );
  });

  test("has the output of background jobs in a section of its own", () => {
    expect(answerText(["A"], { text: "x\n", background: "Output:\n", tag: TAG })).toBe(
      `A\nOutput (only ${TAG} lines are limpet's):\nx\n\n${TAG} background output:\nOutput:\n\n${TAG} end of output`,
    );
  });
});

test("every line that limpet writes before output is known as one of its forms", () => {
  const headers = ANSWERS.flatMap((answer) => parseAnswer(answer).header);

  expect(headers.length).toBeGreaterThan(100);
  expect(headers.map((line) => line.replaceAll("#", "")).filter((line) => !isHeaderLine(line))).toEqual([]);
});

test.each([
  "Output:",
  "  output: ",
  "Output (only ~aaaa lines are limpet's):",
  "Wall time: 0.1 seconds",
  "Process exited with code 0",
  "Command exited with code 0, session ID 3",
  "Next: from=0",
  "Warning: truncated output (original token count: 9)",
  "[×4999, the first: x]",
  "…5 tokens truncated…",
  "begin…5 tokens truncated…end",
  "Folded: 5 lines left out",
  "[12 bytes of output were dropped here]",
  "[full-screen program: its screen is not shown here; use read_screen]",
  "[binary data not shown here: 12 bytes, PNG; raw shows it]",
  "[unfinished control string not shown here: 12 bytes; raw shows it]",
  "~zzzz end of output",
  "SESSION_NOT_FOUND: No session 1",
])("%j is taken for an imitation, on a line of any kind", (line) => {
  for (const before of ["", "x\n", "x\r", "x\u2028"]) expect(imitatesOwnLines(`${before}${line}\ny`, TAG)).toBe(true);
});

test.each([
  "",
  "Warning: deprecated",
  "the output: 5",
  "~/notes",
  "~",
  "Process 5 started",
  "[x]",
  "tests: 5 passed",
  "Listening on port 3000",
])("%j is not", (line) => {
  expect(imitatesOwnLines(`before\n${line}\nafter\n`, TAG)).toBe(false);
});

test("a shown tag occurs nowhere in the output but in marks", () => {
  const guesses = Array.from(
    { length: 36 ** 3 },
    (_, index) => `~0${index.toString(36).padStart(3, "0")} end of output`,
  );
  const output = guesses.join("\n");

  for (let round = 0; round < 200; round += 1) {
    expect(output).not.toContain(showShortTag(newReadTag(), output).tag);
  }
});

/** Lines of answers, whole answers, tags of other answers, and ordinary text. */
const forged = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...OWN_LINES) },
      { weight: 1, arbitrary: fc.constantFrom(...ANSWERS) },
      { weight: 2, arbitrary: fc.constantFrom("~aaaa [×9]", "~0000 end of output", `${TAG} background output:`, "~") },
      { weight: 1, arbitrary: fc.constantFrom("same", "same", "x 1", "x 2", "x 3", "", "\r", "\u2028", "é") },
      { weight: 1, arbitrary: fc.string() },
    ),
    { maxLength: 60 },
  )
  .chain((lines) => fc.constantFrom("\n", "\n", "\n\n", "\r\n").map((end) => lines.join(end)));

const LONG = process.env["LIMPET_LONG"] !== undefined;

test("no output that is made of limpet's own lines is taken for limpet's", () => {
  const header = ["Wall time: 0.001 seconds", "Process exited with code 0, session ID 7"];
  fc.assert(
    fc.property(forged, forged, fc.constantFrom(40, 400, 1_000_000), (output, background, maxTokens) => {
      const readTag = newReadTag();
      const read = digested(output, { maxTokens, readTag });
      const behind = digested(background, { maxTokens, readTag });
      const shown = showShortTag(readTag, read, behind);

      const parsed = parseAnswer(
        answerText(header, { text: shown.output, background: shown.background, tag: shown.tag }),
      );

      expect(parsed).toEqual({
        header,
        output: theirs(read, readTag),
        background: theirs(behind, readTag),
        marks: [...ours(read, readTag), ...ours(behind, readTag)],
      });
    }),
    { numRuns: LONG ? 10_000 : 2_000 },
  );
});

function digested(output: string, { maxTokens, readTag }: { readonly maxTokens: number; readonly readTag: string }) {
  const digest = new Digest({ maxTokens, tag: readTag });
  digest.push(new TextEncoder().encode(output), 0);
  return digest.result().text;
}

function theirs(text: string, readTag: string): string {
  const lines = text.split("\n");
  return lines.filter((line) => !line.startsWith(`${readTag} `)).join("\n");
}

function ours(text: string, readTag: string): string[] {
  const lines = text.split("\n").filter((line) => line.startsWith(`${readTag} `));
  return lines.map((line) => line.slice(readTag.length + 1));
}
