import { expect, test } from "vitest";
import { checkBodyHeaders, parseBody } from "./parse-body.ts";

const parse = (text: string) => parseBody(Buffer.from(text));

test("JSON is parsed", () => {
  expect(parse('{"text":"ä]}","n":[1]}')).toEqual({ kind: "value", value: { text: "ä]}", n: [1] } });
});

test.each([
  ["not JSON", "{"],
  ["nothing", ""],
  ["two values", "1 2"],
  ["deep lists", "[".repeat(100_000) + "]".repeat(100_000)],
  ["deep lists without an end", "[".repeat(100_000)],
  ["deep objects", '{"a":'.repeat(100_000)],
  ["a prototype", '{"__proto__":{"admin":true}}'],
  ["a prototype inside", '[{"a":[{"__proto__":1}]}]'],
  ["a prototype in disguise", '{"__\\u0070roto__":1}'],
])("%s is refused", (_, text) => {
  expect(parse(text)).toMatchObject({ kind: "refused", refusal: { status: 400, code: "BAD_REQUEST" } });
});

test("brackets inside strings are not levels", () => {
  const text = `"\\"${"[".repeat(1_000)}"`;

  expect(parse(text)).toEqual({ kind: "value", value: JSON.parse(text) });
});

test("bytes that are not UTF-8 are refused", () => {
  expect(parseBody(Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({ kind: "refused" });
});

test.each([["application/json"], ["Application/JSON"], ['application/json; charset="UTF-8"']])("%s is read", (type) => {
  expect(checkBodyHeaders(type, undefined)).toBeUndefined();
});

test.each([
  [undefined, undefined],
  ["text/plain", undefined],
  ["application/x-www-form-urlencoded", undefined],
  ["multipart/form-data; boundary=x", undefined],
  ["application/json-patch+json", undefined],
  ["application/json; charset=utf-16", undefined],
  ["text/plain, application/json", undefined],
  ["application/json", "gzip"],
  ["application/json", "br, identity"],
])("%s with encoding %s is refused", (type, encoding) => {
  expect(checkBodyHeaders(type, encoding)).toMatchObject({ status: 415 });
});
