import { expect, test } from "vitest";
import { exposeLookAlikes } from "./expose-look-alikes.ts";

test.each([
  ["еcho ok", "⟨U+0435⟩cho ok"],
  ["сор x", "⟨U+0441⟩⟨U+043E⟩⟨U+0440⟩ x"],
  ["ｒｍ x", "⟨U+FF52⟩⟨U+FF4D⟩ x"],
  ["r\u200bm x", "r⟨U+200B⟩m x"],
  ["echo \u202egpj.exe", "echo ⟨U+202E⟩gpj.exe"],
  ["\x1b[2Jecho ok", "⟨U+001B⟩[2Jecho ok"],
  ["echo a；rm x", "echo a⟨U+FF1B⟩rm x"],
  ["rm\u00a0-rf x", "rm⟨U+00A0⟩-rf x"],
  ["rm –rf x", "rm ⟨U+2013⟩rf x"],
  ["cat ∕etc∕passwd", "cat ⟨U+2215⟩etc⟨U+2215⟩passwd"],
  ["𝗿𝗺 x", "⟨U+1D5FF⟩⟨U+1D5FA⟩ x"],
  ["e\u0301cho", "e⟨U+0301⟩cho"],
  ["ls αρχείο", "ls αρχείο"],
  ["git commit -m 'исправил ошибку'", "git commit -m 'исправил ошибку'"],
  ["echo 日本語 é ß 👍", "echo 日本語 é ß 👍"],
  ["plain\n\tascii", "plain\n\tascii"],
])("%j is shown as %j", (text, shown) => {
  expect(exposeLookAlikes(text)).toBe(shown);
});
