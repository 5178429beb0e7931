import { expect, test } from "vitest";
import { outputUri, sessionOf } from "./resource-uri.ts";

test("the address of a session's output leads back to it", () => {
  expect(sessionOf(outputUri(12))).toBe("12");
  expect(sessionOf("limpet://sessions/dev%20server/output")).toBe("dev server");
});

test.each([
  "limpet://sessions//output",
  "limpet://sessions/1/2/output",
  "limpet://sessions/%zz/output",
  "file:///etc/passwd",
  "",
])("%j is the address of nothing", (uri) => {
  expect(sessionOf(uri)).toBeUndefined();
});
