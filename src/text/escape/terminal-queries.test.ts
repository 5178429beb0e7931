import { expect, test } from "vitest";
import { endsWithQuery, hasQuery } from "./terminal-queries.ts";

test.each([
  ["▽\x1b[6n", true],
  ["\x1b[c", true],
  ["\x1b[>c", true],
  ["\x1b[?2026$p", true],
  ["\x1b]11;?\x07", true],
  ["\x1b]11;?\x1b\\", true],
  ["\x1bP+q544e\x1b\\", true],
  ["\x1b[6nhello", false],
  ["> ", false],
  ["\x1b[31m", false],
  ["\x1b[2J", false],
])("%j ends with a question to the terminal: %s", (output, isQuery) => {
  expect(endsWithQuery(Buffer.from(output))).toBe(isQuery);
});

test("a query is found before other output, too", () => {
  expect(hasQuery(Buffer.from("\x1b[?1049h\x1b[>0c\x1b[H\x1b[2Jhello"))).toBe(true);
  expect(hasQuery(Buffer.from("\x1b[?1049h\x1b[H\x1b[2Jhello"))).toBe(false);
});
