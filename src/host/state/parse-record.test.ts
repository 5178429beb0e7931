import { expect, test } from "vitest";
import { parseRecord } from "./parse-record.ts";

const MARK = "0123456789abcdef0123456789abcdef";
const NAME = "7-01234567";
const RECORD = {
  id: 7,
  name: "server",
  owner: { caller: "me", project: "/p" },
  program: "sleep",
  args: ["1000"],
  cwd: "/",
  tty: true,
  size: { cols: 80, rows: 24 },
  mark: MARK,
  boot: "b",
  startedAt: 1,
  trace: { pid: 5, startTime: "9", group: "/g" },
  exit: null,
  lost: false,
  end: null,
};
const textWith = (changes: object) => JSON.stringify({ form: 1, ...RECORD, ...changes });

test("a record that was written is read back", () => {
  expect(parseRecord(textWith({}), NAME)).toEqual({ kind: "record", record: RECORD });
  expect(parseRecord(textWith({ owner: undefined, name: null, trace: null }), NAME)).toMatchObject({ kind: "record" });
});

test("a record of a later version is left alone", () => {
  expect(parseRecord(textWith({ form: 2, exit: "?" }), NAME)).toEqual({ kind: "foreign" });
});

test.each([
  ["", "it is not a JSON object"],
  ["[", "it is not a JSON object"],
  [textWith({ form: "1" }), 'its form is "1"'],
  [textWith({ size: { cols: 80, rows: 1e9 } }), "size.rows"],
  [textWith({ size: null }), "size"],
  [textWith({ exit: { kind: "code", code: 4096 } }), "exit.code"],
  [textWith({ trace: { pid: -1, startTime: "9" } }), "trace.pid"],
  [textWith({ end: -3 }), "end"],
  [textWith({ args: "x" }), "args"],
  [textWith({ id: 8 }), "it is the record of session 8 with another mark"],
  [textWith({ mark: MARK.replaceAll("0", "f") }), "it is the record of session 7 with another mark"],
])("%j is damaged", (content, problem) => {
  expect(parseRecord(content, NAME)).toEqual({ kind: "damaged", problem: expect.stringContaining(problem) });
});

test("whatever bit of a record flips, it is read or called damaged", () => {
  const bytes = Buffer.from(textWith({}));
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));

    expect(["record", "damaged", "foreign"]).toContain(parseRecord(flipped.toString("utf8"), NAME).kind);
  }
});
