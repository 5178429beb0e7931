import { expect, test } from "vitest";
import { judgeInputState, judgeUnobserved } from "../probe/judge-input-state.ts";
import { answerTo, queriesAtEnd } from "../text/escape/terminal-queries.ts";
import { mayAnswer } from "./answer-when-safe.ts";

const asked = (text: string) => queriesAtEnd(Buffer.from(text, "latin1"));

test.each([
  ["prompt> \x1b[6n", ["position"]],
  ["\x1b[?6n", ["private-position"]],
  ["\x1b[c", ["attributes"]],
  ["\x1b[?u\x1b[>0q\x1b[0c", ["attributes"]],
  ["\x1b[>c\x1b[5n\x1b[6n", ["secondary", "status", "position"]],
])("the queries at the end of %j are found", (text, queries) => {
  expect(asked(text)).toEqual(queries);
});

test.each(["\x1b[6n$ ", "\x1b[6n\n", "6n", "\x1b[21t", "\x1b]52;c;?\x07", "\x1bP$qm\x1b\\", "\x1b[?u", "\x1b[16n", ""])(
  "%j asks nothing that is answered",
  (text) => {
    expect(asked(text)).toEqual([]);
  },
);

test("answers are fixed numbers and the position of the caret", () => {
  const at = { row: 3, col: 14 };
  const answers = (["attributes", "secondary", "status", "position", "private-position"] as const).map((query) =>
    answerTo(query, at),
  );

  expect(answers).toEqual(["\x1b[?1;2c", "\x1b[>0;276;0c", "\x1b[0n", "\x1b[3;14R", "\x1b[?3;14R"]);
});

const waiting = (
  mode: { isCanonical: boolean; isEchoing: boolean },
  passesOn: { readonly relay?: string; readonly isFar?: boolean } = {},
) =>
  judgeInputState({
    mode,
    reader: { pid: 9, name: "x", call: "read", runs: "9 1", threads: 1, others: [], ...passesOn },
    hasUnreadInput: false,
  });
const RAW = { isCanonical: false, isEchoing: false };

test("only a program other than a shell that reads in raw mode without echo is answered", () => {
  const cases = [
    mayAnswer(waiting(RAW), "irb"),
    mayAnswer(waiting(RAW), "bash"),
    mayAnswer(waiting(RAW), "-zsh"),
    mayAnswer(waiting(RAW), undefined),
    mayAnswer(waiting({ ...RAW, isEchoing: true }), "irb"),
    mayAnswer(waiting({ ...RAW, isCanonical: true }), "cat"),
    mayAnswer(waiting(RAW, { relay: "8 1" }), "irb"),
    mayAnswer(waiting(RAW, { isFar: true }), "ssh"),
    mayAnswer(judgeUnobserved("nobody"), "irb"),
  ];

  expect(cases).toEqual([true, false, false, false, false, false, false, false, false]);
});
