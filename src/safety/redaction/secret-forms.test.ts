import { expect, test } from "vitest";
import { KnownSecrets } from "./known-secrets.ts";

const SECRET = 'it\'s a "P@ss/word" $1+ü';

function knowing(secret: string): KnownSecrets {
  const known = new KnownSecrets();
  known.add(secret);
  return known;
}

function isHidden(text: string, clear: string): boolean {
  return !knowing(SECRET).redact(text).includes(clear);
}

test.each([0, 1, 2])("base64 of it after %i other bytes is masked", (offset) => {
  const encoded = Buffer.from(`${"x".repeat(offset)}${SECRET} and more`).toString("base64");

  const redacted = knowing(SECRET).redact(encoded);

  expect(Buffer.from(redacted.replaceAll("*", "A"), "base64").toString()).not.toContain(SECRET.slice(2, -2));
  expect(redacted).toHaveLength(encoded.length);
  expect(redacted.replaceAll(/[^*]/g, "").length).toBeGreaterThanOrEqual(Math.floor((SECRET.length * 4) / 3) - 2);
});

test("base64 of a short one alone, as echo and printf encode it, is masked whole", () => {
  const known = knowing("abcd");

  expect(known.redact(Buffer.from("abcd").toString("base64"))).toBe("******==");
  expect(known.redact(Buffer.from("abcd\n").toString("base64"))).toBe("*******=");
});

test("base64 for URLs is masked", () => {
  const secret = "??>>??>>";

  expect(knowing(secret).redact(Buffer.from(secret).toString("base64url"))).toBe("*".repeat(11));
});

test.each([
  ["encodeURIComponent", encodeURIComponent(SECRET)],
  ["a form", new URLSearchParams({ v: SECRET }).toString().slice(2)],
  ["JSON", JSON.stringify(SECRET)],
  ["JSON in ASCII", JSON.stringify(SECRET).replaceAll("ü", "\\u00fc")],
  ["single quotes of a shell", `'${SECRET.replaceAll("'", "'\\''")}'`],
  ["double quotes of a shell", `"${SECRET.replaceAll(/["$]/g, "\\$&")}"`],
])("as %s it is masked", (_name, text) => {
  expect(isHidden(`before ${text} after`, "word")).toBe(true);
});

test("each line of a secret with several is masked, and all of it as a terminal prints it", () => {
  const known = knowing("-----BEGIN-----\nline one\nab\nline two");

  expect(known.redact("line one, line two, ab")).toBe("********, ********, ab");
  expect(known.redact("line one\r\nab\r\nline two")).not.toMatch(/[a-z]{3}/);
  expect(known.redact("-----BEGIN-----\r\nline one\r\nab\r\nline two")).not.toContain("ab");
});
