/**
 * What a terminal sends for a key, in the modes that the program has set. The bytes are those of xterm, as recorded in
 * test/corpus/xterm-keys.json. Alt is sent as Escape followed by the key, which is how people configure xterm.
 */

import type { TerminalModes } from "../base/terminal-modes.ts";
import { encodeOtherKey, modifierParameter } from "./encode-other-key.ts";
import { controlOf } from "./key-layout.ts";
import { type Key, type Modifiers, parseKey } from "./parse-key.ts";

const ESC = "\x1b";
const CSI = "\x1b[";
const SS3 = "\x1bO";

/** Cursor keys, Home and End: CSI A, or SS3 A if the program asked for application cursor keys. */
const CURSOR_KEYS: Readonly<Record<string, string>> = {
  Up: "A",
  Down: "B",
  Right: "C",
  Left: "D",
  End: "F",
  Home: "H",
};
/** Always SS3 P; modified, CSI 1 ; m P. */
const FIRST_FUNCTION_KEYS: Readonly<Record<string, string>> = { F1: "P", F2: "Q", F3: "R", F4: "S" };
/** CSI n ~ */
const NUMBERED_KEYS: Readonly<Record<string, number>> = {
  Insert: 2,
  Delete: 3,
  PageUp: 5,
  PageDown: 6,
  F5: 15,
  F6: 17,
  F7: 18,
  F8: 19,
  F9: 20,
  F10: 21,
  F11: 23,
  F12: 24,
};
/** What each key types, and its letter after SS3 in application mode. */
const KEYPAD: Readonly<Record<string, readonly [string, string]>> = {
  KPEnter: ["\r", "M"],
  KPEqual: ["=", "X"],
  KPMultiply: ["*", "j"],
  KPPlus: ["+", "k"],
  KPComma: [",", "l"],
  KPMinus: ["-", "m"],
  KPDecimal: [".", "n"],
  KPDivide: ["/", "o"],
  ...Object.fromEntries([..."0123456789"].map((digit, at) => [`KP${digit}`, [digit, "pqrstuvwxy".charAt(at)]])),
};
const PLAIN: Readonly<Record<string, string>> = { Enter: "\r", Tab: "\t", Esc: ESC, Space: " ", Backspace: "\x7f" };

/**
 * The input that pressing a key produces. Names are those of `parseKey`; an unknown name is refused with `BAD_OPTION`
 * and the nearest names. A combination without a sequence of its own sends what a real terminal sends, which may be the
 * same as without the modifier: Ctrl+Enter is Enter, unless the program asked for modifyOtherKeys.
 */
export function encodeKey(name: string, modes: TerminalModes): string {
  const key = parseKey(name);
  return key.kind === "named" ? encodeNamed(key, modes) : encodeText(key.text, key, modes);
}

function encodeNamed(key: Extract<Key, { kind: "named" }>, modes: TerminalModes): string {
  const high = /^F(1[3-9]|2[0-4])$/u.exec(key.name);
  // Few keyboards have F13. In terminfo, and so in programs, F13 means Shift+F1.
  if (high !== null) return encodeNamed({ ...key, name: `F${Number(high[1]) - 12}`, shift: true }, modes);
  const parameter = modifierParameter(key);
  const isModified = parameter > 1;
  const cursor = CURSOR_KEYS[key.name];
  if (cursor !== undefined) {
    return isModified ? `${CSI}1;${parameter}${cursor}` : `${modes.applicationCursor ? SS3 : CSI}${cursor}`;
  }
  const first = FIRST_FUNCTION_KEYS[key.name];
  if (first !== undefined) return isModified ? `${CSI}1;${parameter}${first}` : `${SS3}${first}`;
  const number = NUMBERED_KEYS[key.name];
  if (number !== undefined) return isModified ? `${CSI}${number};${parameter}~` : `${CSI}${number}~`;
  const keypad = KEYPAD[key.name];
  if (keypad === undefined) return encodeText(PLAIN[key.name] ?? "", key, modes);
  if (!modes.applicationKeypad) return keypad[0];
  return `${SS3}${isModified ? parameter : ""}${keypad[1]}`;
}

/** A key that types something, by itself or as a control character. */
function encodeText(text: string, held: Modifiers, modes: TerminalModes): string {
  const other = encodeOtherKey(text, held, modes.modifyOtherKeys);
  if (other !== undefined) return other;
  if (text === "\t" && held.shift) return `${CSI}Z`;
  return (held.alt ? ESC : "") + plainText(text, held);
}

function plainText(text: string, held: Modifiers): string {
  if (!held.ctrl) return text;
  if (text === "\x7f") return "\b";
  return controlOf(text) ?? text;
}
