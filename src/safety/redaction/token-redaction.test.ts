import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TokenRedaction } from "./token-redaction.ts";

const tokens = new TokenRedaction();
const letters = (count: number) => "aB3dE5gH7jK9mN1pQrStUvWxYz0246".repeat(20).slice(0, count);
const hex = (count: number) => "0123456789abcdef".repeat(10).slice(0, count);

/** Written in parts, so that no scanner reports this file as one with tokens in it. */
const EXAMPLES: readonly string[] = [
  `gh${"p"}_${letters(36)}`,
  `github_${"pat"}_${letters(60)}`,
  `gl${"pat"}-${letters(20)}`,
  `AK${"IA"}${"ABCDEFGHIJKLMNOP"}`,
  `AI${"za"}${letters(35)}`,
  `xo${"xb"}-1234567890-${letters(24)}`,
  `sk_${"live"}_${letters(24)}`,
  `np${"m"}_${letters(36)}`,
  `py${"pi"}-AgE${letters(80)}`,
  `sk-${"ant"}-api03-${letters(80)}`,
  `SG.${letters(22)}.${letters(43)}`,
  `do${"p"}_v1_${hex(64)}`,
  `ey${"J"}${letters(20)}.ey${"J"}${letters(40)}.${letters(43)}`,
];

test.each(EXAMPLES)("%s is masked", (token) => {
  const redacted = tokens.redact(`key: ${token}, next`);

  expect(redacted).toBe(`key: ${"*".repeat(token.length)}, next`);
});

test("of a setting, a header or a URL, only the value is masked", () => {
  const secret = letters(40);
  expect(tokens.redact(`aws_secret_access_key = ${secret}\n`)).toBe(`aws_secret_access_key = ${"*".repeat(40)}\n`);
  expect(tokens.redact(`Authorization: Bearer ${secret}`)).toBe(`Authorization: Bearer ${"*".repeat(40)}`);
  expect(tokens.redact("postgres://app:pa55word@db:5432/x")).toBe("postgres://app:********@db:5432/x");
});

test("a private key keeps its lines, also if its end is missing", () => {
  const key = `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${letters(64)}\n${letters(10)}\n`;

  const masked = `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${"*".repeat(64)}\n${"*".repeat(10)}\n`;
  expect(tokens.redact(`${key}-----END RSA ${"PRIVATE"} KEY-----\nmore`)).toBe(
    `${masked}-----END RSA ${"PRIVATE"} KEY-----\nmore`,
  );
  expect(tokens.redact(key)).toBe(masked);
});

test("several tokens in one text are all masked", () => {
  const [token = ""] = EXAMPLES;

  expect(tokens.redact(`${token} ${token}`)).toBe(`${"*".repeat(token.length)} ${"*".repeat(token.length)}`);
});

test.each([
  "commit 4e1477a1c0ffee4e1477a1c0ffee4e1477a1c0ff",
  "integrity sha512-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zg==",
  "https://packages.example.org/@scope/name/-/name-1.2.3.tgz",
  "git clone https://user@example.org/path.git",
  "npm_config_cache=/home/user/.npm npm_lifecycle_event=test",
  "sk-learn 1.4.2, ask_test_suite, disk_live_migration",
  "see http://localhost:3000/@fs/src/main.ts",
  "AKIAlike, ASIAN, gho_st, xox-o",
  "pypi-server running; pypi-publish@v1",
  "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
  "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
  "at Object.<anonymous> (/srv/app/node_modules/eyJs/index.js:12:34)",
  "authorization: none, token count 12345",
])("ordinary output stays: %s", (text) => {
  expect(tokens.redact(text)).toBe(text);
});

test("nothing in the recorded output of builds and tests looks like a token", () => {
  const folder = join(import.meta.dirname, "../../../test/golden");
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  expect(files.length).toBeGreaterThan(5);

  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8");
    expect(tokens.redact(text), file).toBe(text);
  }
});
