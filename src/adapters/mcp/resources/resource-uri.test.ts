import { expect, test } from "vitest";
import { parseUri, resourceUri } from "./resource-uri.ts";

test("the address of a session's output or screen leads back to it", () => {
  expect(parseUri(resourceUri(12, "output"))).toEqual({ session: "12", kind: "output" });
  expect(parseUri(resourceUri(12, "screen"))).toEqual({ session: "12", kind: "screen" });
  expect(parseUri("limpet://sessions/dev%20server/output")).toEqual({ session: "dev server", kind: "output" });
});

test.each([
  "limpet://sessions//output",
  "limpet://sessions/1/2/output",
  "limpet://sessions/1/input",
  "limpet://sessions/%zz/output",
  "file:///etc/passwd",
  "",
])("%j is the address of nothing", (uri) => {
  expect(parseUri(uri)).toBeUndefined();
});
