import { expect, test } from "vitest";
import { DEFAULT_DETACH_KEY, detachKeyOf, findDetachKey } from "./detach-key.ts";
import { type AttachMode, readAttachKeys } from "./read-attach-keys.ts";

const bytes = (text: string) => Buffer.from(text);

/** What happens, in short: typed text as it is, everything else in brackets. */
function after(mode: AttachMode, typed: string, key = DEFAULT_DETACH_KEY): string {
  const { mode: next, acts } = readAttachKeys(mode, bytes(typed), key);
  const told = acts.map((act) => {
    if (act.kind === "type") return Buffer.from(act.bytes).toString();
    return act.kind === "key" ? `[key ${act.key}]` : `[${act.kind}]`;
  });
  return `${told.join("")} → ${next}`;
}

test.each([
  ["ls\r", "ls\r → live"],
  ["ls\r\x1d", "ls\r[menu] → menu"],
  ["\x1dd", "[menu][detach] → live"],
  ["x\x1b[93;5ud", "x[menu][detach] → live"],
  ["x\x1b[27;5;93~\r", "x[menu][detach] → live"],
  ["\x1d\x1d", "[menu][detach] → live"],
  ["\x1d[", "[menu][scroll] → scroll"],
  ["\x1d/", "[menu][search] → scroll"],
  ["\x1dsls", "[menu]\x1dls → live"],
  ["\x1dh", "[menu][hold] → live"],
  ["\x1d\x1b", "[menu][live] → live"],
  ["\x1dz", "[menu][unknown] → live"],
  ["\x1b]", "\x1b] → live"],
  ["grün", "grün → live"],
])("typed %j in the live screen: %s", (typed, told) => {
  expect(after("live", typed)).toBe(told);
});

test("what is typed behind the key that detaches goes nowhere", () => {
  expect(after("live", "\x1ddrm -rf\r")).toBe("[menu][detach] → live");
});

test("the command may come in another chunk, and keys in the output are whole", () => {
  expect(after("menu", "[")).toBe("[scroll] → scroll");
  expect(after("scroll", "k\x1b[5~ü")).toBe("[key k][key \x1b[5~][key ü] → scroll");
  expect(after("scroll", "\x1dd")).toBe("[menu][detach] → live");
});

test("another key detaches, and can be sent", () => {
  const key = detachKeyOf("ctrl+a");

  expect(key.name).toBe("Ctrl+A");
  expect(after("live", "\x1d\x01d", key)).toBe("\x1d[menu][detach] → live");
  expect(after("live", "\x01s", key)).toBe("[menu]\x01 → live");
  expect(findDetachKey("x\x1b[97;5u", key)).toEqual({ at: 1, end: 8 });
});

test.each(["", "a", "Ctrl+C", "Ctrl+M", "Ctrl+AB", "F1"])("%j is refused as the detach key", (text) => {
  expect(() => detachKeyOf(text)).toThrow("The detach key is");
});
