import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LimpetError } from "../base/limpet-error.ts";
import { DEFAULT_MODES, type TerminalModes } from "../base/terminal-modes.ts";
import { encodeKey } from "./encode-key.ts";

const MODES: Readonly<Record<string, TerminalModes>> = {
  plain: DEFAULT_MODES,
  applicationCursor: { ...DEFAULT_MODES, applicationCursor: true },
  applicationKeypad: { ...DEFAULT_MODES, applicationKeypad: true },
  modifyOtherKeys1: { ...DEFAULT_MODES, modifyOtherKeys: 1 },
  modifyOtherKeys2: { ...DEFAULT_MODES, modifyOtherKeys: 2 },
};
const RECORDED: { readonly keys: Readonly<Record<string, Readonly<Record<string, string>>>> } = JSON.parse(
  readFileSync(new URL("../../test/corpus/xterm-keys.json", import.meta.url), "utf8"),
);

test.each(Object.keys(MODES))("every key is what a real xterm sent in the mode %s", (mode) => {
  const recorded = RECORDED.keys[mode] ?? {};
  const modes = MODES[mode] ?? DEFAULT_MODES;

  const encoded = Object.fromEntries(Object.keys(recorded).map((name) => [name, encodeKey(name, modes)]));

  expect(Object.keys(recorded).length).toBeGreaterThan(400);
  expect(encoded).toEqual(recorded);
});

test.each([
  [["Return", "enter", "CR", "<CR>", "\r", "\n", "^M", "Ctrl+m"], "\r"],
  [["Esc", "escape", "ESCAPE", "<Esc>", "^[", "\x1b", "C-["], "\x1b"],
  [["Ctrl+C", "ctrl+c", "Control-c", "C-c", "c-C", "^C", "^c", "<C-c>", "CTRL+C", "\x03"], "\x03"],
  [["Alt+x", "M-x", "Meta+x", "alt-x", "option+x", "<M-x>", "A-x"], "\x1bx"],
  [["Ctrl+Alt+Delete", "Alt+Ctrl+Del", "C-M-delete", "M-C-DC"], "\x1b[3;7~"],
  [["PgUp", "page_up", "Page Up", "PAGEUP", "Prior"], "\x1b[5~"],
  [["ArrowUp", "arrow-up", "UpArrow", "up"], "\x1b[A"],
  [["Shift+Tab", "S-Tab", "<S-Tab>", "BackTab", "btab"], "\x1b[Z"],
  [["Backspace", "BS", "bspace", "\x7f"], "\x7f"],
  [["Space", " ", "spacebar"], " "],
  [["Ctrl+Space", "Ctrl+@", "^@", "C- "], "\0"],
  [["+", "Plus", "Shift+="], "+"],
  [["-", "minus"], "-"],
  [["Alt+-", "M--"], "\x1b-"],
  [["Alt++", "alt-+"], "\x1b+"],
  [["^"], "^"],
  [["<"], "<"],
  [["A", "Shift+a", "shift+A"], "A"],
  [["Keypad 7", "numpad7", "KP_7", "Num7"], "7"],
  [["ä", "ä"], "ä"],
  [["Shift+ä"], "Ä"],
  [["👩‍👩‍👧"], "👩‍👩‍👧"],
  [["Ctrl+Enter"], "\r"],
])("%j are one key", (names, bytes) => {
  expect(names.map((name) => encodeKey(name, DEFAULT_MODES).normalize("NFC"))).toEqual(names.map(() => bytes));
});

test.each([
  ["PageDwon", 'No key is called "PageDwon". Did you mean PageDown?'],
  ["Ctrl+Entr", 'No key is called "Ctrl+Entr". Did you mean Enter?'],
  ["Escpe", 'No key is called "Escpe". Did you mean Esc?'],
  ["F25", 'No key is called "F25". Did you mean F2 or F5 or F15?'],
  [
    "hello world",
    'No key is called "hello world". Give one key such as Enter, Tab, Esc, Up, PageDown, F1, Ctrl+C or Alt+x; longer text is typed as text.',
  ],
  [
    "",
    'No key is called "". Give one key such as Enter, Tab, Esc, Up, PageDown, F1, Ctrl+C or Alt+x; longer text is typed as text.',
  ],
])("%j is refused, with the nearest names", (name, message) => {
  expect(() => encodeKey(name, DEFAULT_MODES)).toThrow(new LimpetError("BAD_OPTION", message));
});

test.each([
  ["half a pair", "\ud800"],
  ["a modifier alone", "Ctrl+"],
  ["a name that objects have", "constructor"],
  ["a modified one", "Ctrl+__proto__"],
  ["a character with a thousand accents", `a${"\u0301".repeat(1_000)}`],
  ["a text of a megabyte", "x".repeat(1_000_000)],
])("%s is no key", (_what, name) => {
  expect(() => encodeKey(name, DEFAULT_MODES)).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
});
