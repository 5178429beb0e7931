/** The words that the parse calls literal, compared with what bash makes of them. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseShell } from "../../../src/safety/policy/syntax/parse-shell.ts";
import { randomFrom } from "../../support/policy/command-grammar.ts";
import { isLong } from "../../support/sessions.ts";

const COUNT = isLong ? 20_000 : 2_000;
const ANSI_C =
  'a r m \\x72 \\x7 \\x \\x{72} \\x{ \\162 \\1 \\16 \\1620 \\8 \\0 \\00 \\x00 \\u0072 \\u72 \\U00000072 \\u \\ca \\c@ \\c \\n \\e \\E \\\' \\" \\? \\q \\\\ é \\xc3\\xa9 \\400 \\777 $ ` " { *'.split(
    " ",
  );
const OTHERS = [
  ...'a \\a \\$ \\" \\\\ \\` \' {a,b} * ~ ! # \\x72 $ $" [ ] é = a=~ $( ${ % @ + - ? [a] \\{a,b} {1..2} {a a} a:~ \\~ ^ \'\' ""'.split(
    " ",
  ),
  "\\\n",
  "\t",
  "\\ ",
  "\\;",
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "limpet-words-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`of ${COUNT} random words, those that are called literal are what bash makes of them`, () => {
  const random = randomFrom(3);
  const some = (from: readonly string[]) =>
    Array.from({ length: 1 + random(4) }, () => from[random(from.length)]).join("");
  const forms = [
    () => `$'${some(ANSI_C)}'`,
    () => `r$'${some(ANSI_C)}'m`,
    () => `"${some(OTHERS)}"`,
    () => `p${some(OTHERS)}q`,
  ];
  const words = Array.from({ length: COUNT }, () => forms[random(forms.length)]?.() ?? "");
  const literal = words.flatMap((word) => {
    const { commands, notes } = parseShell(`echo ${word}`);
    const value = commands[0]?.words[1]?.literal;
    const isOne = commands.length === 1 && commands[0]?.words.length === 2 && notes.length === 0;
    // Old arithmetic and lines that continue within a word are asked about, whatever the parse says.
    return isOne && value !== undefined && !/\$\[|\\\n/.test(word) ? [{ word, value }] : [];
  });

  const script = literal.map(({ word }) => `eval ${quote(`printf '%s\\0' ${word}`)} || printf 'ERROR\\0'`).join("\n");
  const { stdout } = spawnSync("bash", ["--norc"], {
    input: script,
    cwd: folder,
    env: { LC_ALL: "C.UTF-8" },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const made = stdout.split("\0").slice(0, -1);

  expect(literal.map(({ word }, at) => ({ word, value: made[at] }))).toEqual(literal);
  expect(literal.length).toBeGreaterThan(COUNT / 4);
});

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
