import { expect, test } from "vitest";
import { type CastEvent, decodeEvent, decodeHeader, encodeEvent, encodeHeader } from "./asciicast.ts";

const EVENTS: readonly CastEvent[] = [
  { atMs: 0, kind: "output", text: "\u001b[1mä\r\n" },
  { atMs: 250, kind: "input", text: "q\u0003" },
  { atMs: 250, kind: "resize", size: { cols: 100, rows: 30 } },
  { atMs: 61_000, kind: "marker", label: "here" },
];

test.each([2, 3] as const)("version %i is read as it was written", (format) => {
  const header = { format, size: { cols: 80, rows: 24 }, startedAt: 1_700_000_000_000, title: "a", command: "sh -c b" };
  const lines = EVENTS.map((event, index) => encodeEvent(format, event, EVENTS[index - 1]?.atMs ?? 0));
  let lastMs = 0;
  const read = lines.map((line) => {
    const event = decodeEvent(format, line, lastMs);
    lastMs = event?.atMs ?? lastMs;
    return event;
  });

  expect(decodeHeader(encodeHeader(header))).toEqual(header);
  expect(read).toEqual(EVENTS);
});

test("version 2 has times since the start and reports the exit by a marker", () => {
  const exit: CastEvent = { atMs: 3500, kind: "exit", code: 137 };

  expect(encodeHeader({ format: 2, size: { cols: 80, rows: 24 } })).toBe(
    '{"version":2,"width":80,"height":24,"env":{"TERM":"xterm-256color"}}\n',
  );
  expect(encodeEvent(2, exit, 3000)).toBe('[3.500, "m", "exited with code 137"]\n');
});

test("version 3 has times since the previous event and reports the exit", () => {
  const exit: CastEvent = { atMs: 3500, kind: "exit", code: 137 };

  expect(encodeHeader({ format: 3, size: { cols: 80, rows: 24 } })).toBe(
    '{"version":3,"term":{"cols":80,"rows":24,"type":"xterm-256color"}}\n',
  );
  expect(encodeEvent(3, exit, 3000)).toBe('[0.500, "x", "137"]\n');
  expect(decodeEvent(3, '[0.5, "x", "137"]', 3000)).toEqual(exit);
});

test.each([
  "",
  "# a comment",
  "null",
  "{}",
  '[1, "o"]',
  '["1", "o", "x"]',
  '[1, "o", 5]',
  '[1, "z", "future"]',
  '[1, "r", "80"]',
  '[1, "x", "no number"]',
  '[1e307, "o", "after the end of time"]',
  '[1, "o", "torn',
])("a line that is not a known event is skipped: %j", (line) => {
  expect(decodeEvent(3, line, 0)).toBeUndefined();
});

test("time does not run backwards, whatever the file contains", () => {
  expect(decodeEvent(2, '[1, "o", "late"]', 5000)).toEqual({ atMs: 5000, kind: "output", text: "late" });
  expect(decodeEvent(3, '[-9, "o", "late"]', 5000)).toEqual({ atMs: 5000, kind: "output", text: "late" });
});

test.each([
  { line: "", says: "not an asciicast file" },
  { line: "[]", says: "not an asciicast file" },
  { line: '{"version": 4, "width": 80, "height": 24}', says: "asciicast version 4" },
  { line: '{"version": 2, "width": 80}', says: "not an asciicast file" },
  { line: '{"version": 3, "width": 80, "height": 0}', says: "not an asciicast file" },
])("the header $line is refused", ({ line, says }) => {
  expect(() => decodeHeader(line)).toThrow(says);
});
