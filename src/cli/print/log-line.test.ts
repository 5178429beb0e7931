import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { logLine, requireLogForm } from "./log-line.ts";

const entry = { atMs: 0, pid: 7, message: 'host of "/tmp/x"\nsecond line' };

test("a line of a log as JSON is one line, whatever the message contains", () => {
  const line = logLine(entry, "json");

  expect(line).not.toContain("\n");
  expect(JSON.parse(line)).toEqual({ time: "1970-01-01T00:00:00.000Z", pid: 7, message: entry.message });
});

test("a log is text unless json is asked for", () => {
  expect(logLine({ ...entry, message: "ended" }, requireLogForm(undefined))).toBe("1970-01-01T00:00:00.000Z 7 ended");
  expect(requireLogForm("json")).toBe("json");
  expect(codeOfThrown(() => requireLogForm("xml"))).toBe("BAD_OPTION");
});
