import fc from "fast-check";
import { expect, test } from "vitest";
import { KnownSecrets } from "./known-secrets.ts";

const SECRET = "hunter2-Xy";

/** What is left of the parts after they went through one stream. */
function redacted(secrets: readonly string[], ...parts: readonly (string | Uint8Array)[]): string {
  const known = new KnownSecrets();
  for (const secret of secrets) known.add(secret);
  const redactor = known.redactor();
  const all = Buffer.concat(parts.map((part) => Buffer.from(part)));
  let cursor = 0;
  for (const part of parts.map((each) => Buffer.from(each))) {
    redactor.push(part, cursor, (from, to) => all.fill("*", from, to));
    cursor += part.length;
  }
  return all.toString();
}

test("a secret is masked in its length, however it is split", () => {
  const text = `before ${SECRET} after`;

  for (let at = 0; at <= text.length; at++) {
    expect(redacted([SECRET], text.slice(0, at), text.slice(at))).toBe("before ********** after");
  }
});

test("a secret that arrives byte by byte is masked", () => {
  expect(redacted([SECRET], ...`x${SECRET}y`)).toBe("x**********y");
});

test("control sequences in a secret stay, and the rest of it is masked", () => {
  expect(redacted([SECRET], "hun\x1b[31mter2\x1b[0", "m-Xy\x1b[0m")).toBe("***\x1b[31m****\x1b[0m***\x1b[0m");
  expect(redacted([SECRET], "hun\x1b]0;title\x07ter2-Xy")).toBe("***\x1b]0;title\x07*******");
});

test("a secret in the title of a window is masked", () => {
  expect(redacted([SECRET], `\x1b]0;${SECRET}\x07 done`)).toBe("\x1b]0;**********\x07 done");
});

test("of two secrets, the longer one is masked whole, and the shorter one alone", () => {
  expect(redacted(["abcd", "abcdefgh"], "abcd abcdefgh abcdef")).toBe("**** ******** ****ef");
});

test("secrets that overlap are both masked", () => {
  expect(redacted(["abcdef", "defghi"], "abcdefghi")).toBe("*********");
});

test("a false beginning does not hide the secret that follows", () => {
  expect(redacted(["aabaac"], "aabaabaac")).toBe("aab******");
});

test("characters that mean something in patterns are taken literally", () => {
  expect(redacted(["a.*(b|c)$["], "aXX(b a.*(b|c)$[ end")).toBe("aXX(b ********** end");
});

test("a secret of letters with several bytes is masked byte by byte", () => {
  expect(redacted(["päßwörd"], "x päßwörd y")).toBe(`x ${"*".repeat(10)} y`);
});

test.each(["abc", "x", ""])("the secret %j is too short", (secret) => {
  expect(() => new KnownSecrets().add(secret)).toThrow(/fewer than 4 bytes/);
});

test("no split and no sequence in it lets a secret through", () => {
  const noise = fc.constantFrom("", "\x1b[1m", "\x1b[38;5;196m", "\x1b(B", "\x1b]2;x\x07");
  const pieces = fc.array(fc.tuple(fc.constantFrom("hunt", "er2", "-", "Xy", "h", "\n", " ", SECRET), noise), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(64), { maxLength: 5 }), (given, cuts) => {
      const text = given.flat().join("");
      const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((one, other) => one - other), text.length];
      const parts = at.slice(1).map((end, index) => text.slice(at[index], end));

      const result = redacted([SECRET], ...parts);

      expect(result).toHaveLength(text.length);
      const sequences = /\x1b\[[0-9;]*m|\x1b\(B|\x1b\]2;x\x07/g;
      expect(result.replace(sequences, "")).not.toContain(SECRET);
      expect(result.replace(sequences, "")).toBe(text.replace(sequences, "").replaceAll(SECRET, "*".repeat(10)));
    }),
  );
});

test("bytes that are not text go through unchanged", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const known = new KnownSecrets();
      known.add("a secret that is not in them");

      expect(known.masksOf(bytes)).toEqual(new Uint8Array(bytes.length));
    }),
  );
});
