import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MAX_TOKENS } from "../../base/web-limits.ts";
import { TokenFile } from "./token-file.ts";

const NEW = { name: "laptop", scope: "control", forMs: 60_000 } as const;

function tokenFile() {
  const directory = mkdtempSync(join(tmpdir(), "limpet-tokens-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const clock = { ms: 1_000 };
  const open = () => new TokenFile(directory, () => clock.ms);
  return { directory, path: join(directory, "tokens.json"), clock, open, tokens: open() };
}

test("a token is found by itself alone", () => {
  const { tokens, open } = tokenFile();
  const { token, listed } = tokens.create(NEW);

  expect(token).toMatch(/^limpet_[\w-]{43}$/);
  expect(listed).toEqual({ name: "laptop", scope: "control", createdMs: 1_000, expiresMs: 61_000 });
  expect(open().find(token)).toEqual(listed);
  for (const wrong of ["", "limpet_", token.slice(0, -1), `${token}x`, token.slice(7), token.toUpperCase()])
    expect(open().find(wrong)).toBeUndefined();
});

test("the file has no token in it, and only its owner reads it", () => {
  const { tokens, path } = tokenFile();
  const { token } = tokens.create(NEW);

  expect(readFileSync(path, "utf8")).not.toContain(token.slice(7, 20));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.new`)).toBe(false);
});

test("a token ends when it has expired or another process revokes it", () => {
  const { tokens, open, clock } = tokenFile();
  const first = tokens.create(NEW);
  const second = tokens.create({ ...NEW, name: "ci" });
  expect(tokens.has(second.listed)).toBe(true);
  open().revoke("ci");

  expect(tokens.find(second.token)).toBeUndefined();
  expect(tokens.has(second.listed)).toBe(false);
  expect(tokens.find(first.token)).toBeDefined();
  clock.ms += 60_000;
  expect(tokens.find(first.token)).toBeUndefined();
  expect(tokens.list()).toEqual([]);
});

test("a new token of the same name is another one", () => {
  const { tokens, clock } = tokenFile();
  const first = tokens.create(NEW);
  expect(() => tokens.create(NEW)).toThrow("The token laptop already exists");
  tokens.revoke("laptop");
  clock.ms += 1;
  tokens.create(NEW);

  expect(tokens.has(first.listed)).toBe(false);
  expect(tokens.find(first.token)).toBeUndefined();
});

test("the token of another directory is unknown", () => {
  const { token } = tokenFile().tokens.create(NEW);

  expect(tokenFile().tokens.find(token)).toBeUndefined();
});

test.each(["", " ", "a b", "../x", "-x", "x".repeat(65), "a\nb", "ä", "__proto__ "])("%j is not a name", (name) => {
  expect(() => tokenFile().tokens.create({ ...NEW, name })).toThrow("is not a name for a token");
});

test("an unknown token cannot be revoked", () => {
  expect(() => tokenFile().tokens.revoke("nobody")).toThrow('Unknown token "nobody"');
});

test("there are so many tokens at most, and expired ones do not count", () => {
  const { tokens, clock } = tokenFile();
  for (let count = 0; count < MAX_TOKENS; count += 1) tokens.create({ ...NEW, name: `t${count}` });
  expect(() => tokens.create(NEW)).toThrow(`There are already ${MAX_TOKENS} tokens`);
  clock.ms += 60_000;
  tokens.create(NEW);

  expect(tokens.list().map(({ name }) => name)).toEqual(["laptop"]);
});

test.each(["", "{", "[]", '{"version":2,"tokens":[]}', '{"version":1,"tokens":[{"name":"x"}]}'])(
  "a file that contains %j lets nobody in, and is not overwritten",
  (text) => {
    const { tokens, path } = tokenFile();
    writeFileSync(path, text);

    expect(() => tokens.find("x")).toThrow("is damaged");
    expect(() => tokens.create(NEW)).toThrow("is damaged");
    expect(readFileSync(path, "utf8")).toBe(text);
  },
);

test("a link in its place is refused", () => {
  const { tokens, path, directory } = tokenFile();
  writeFileSync(join(directory, "other"), '{"version":1,"tokens":[]}');
  chmodSync(join(directory, "other"), 0o600);
  symlinkSync(join(directory, "other"), path);

  expect(() => tokens.list()).toThrow("is damaged");
});
