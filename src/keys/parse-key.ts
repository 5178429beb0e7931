/** Parses the name of a key as callers write it: `Ctrl+C`, `C-x`, `^D`, `<Esc>`, `shift+alt+pgup`, `ä`. */

import { lazy } from "../base/async/lazy.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { nearestWords } from "../text/search/nearest-words.ts";
import { shiftedOf } from "./key-layout.ts";

export interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

export type Key =
  | ({ readonly kind: "named"; readonly name: string } & Modifiers)
  /** `text` is what the key types, Shift included: `Shift+a` types "A". */
  | ({ readonly kind: "character"; readonly text: string } & Modifiers);

/** The names in our documents; each has aliases below. */
const NAMES = [
  ..."Enter Tab Esc Space Backspace Delete Insert Home End PageUp PageDown Up Down Left Right".split(" "),
  ...Array.from({ length: 24 }, (_, index) => `F${index + 1}`),
  ...Array.from({ length: 10 }, (_, index) => `KP${index}`),
  ..."KPEnter KPPlus KPMinus KPMultiply KPDivide KPDecimal KPComma KPEqual".split(" "),
];

const ALIASES: Readonly<Record<string, string>> = {
  return: "Enter",
  ret: "Enter",
  cr: "Enter",
  newline: "Enter",
  escape: "Esc",
  spacebar: "Space",
  spc: "Space",
  bs: "Backspace",
  bspace: "Backspace",
  del: "Delete",
  dc: "Delete",
  ins: "Insert",
  ic: "Insert",
  pgup: "PageUp",
  ppage: "PageUp",
  prior: "PageUp",
  pgdn: "PageDown",
  pgdown: "PageDown",
  npage: "PageDown",
  next: "PageDown",
  arrowup: "Up",
  arrowdown: "Down",
  arrowleft: "Left",
  arrowright: "Right",
  uparrow: "Up",
  downarrow: "Down",
  leftarrow: "Left",
  rightarrow: "Right",
  kpadd: "KPPlus",
  kpsubtract: "KPMinus",
  kpdot: "KPDecimal",
  kpequals: "KPEqual",
};

/** Names for characters, such as those that separate modifiers or enclose a key. */
const CHARACTER_NAMES: Readonly<Record<string, string>> = { plus: "+", minus: "-", lt: "<", gt: ">", bar: "|" };

/** Keys that are named by the character that they send. */
const CONTROLS: Readonly<Record<string, string>> = {
  "\r": "Enter",
  "\n": "Enter",
  "\t": "Tab",
  "\x1b": "Esc",
  " ": "Space",
  "\x7f": "Backspace",
};

/**
 * Meta is Alt: terminals send both as Escape and the key. A single letter, as in `C-x`, counts only before a hyphen.
 */
const MODIFIER = /^(?:(ctrl|control|ctl)|(alt|option|opt|meta)|(shift))[+-](?=.)|^(?:(c)|([ma])|(s))-(?=.)/isu;

const BY_LOWER_NAME: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(ALIASES),
]);

/** Created on first use: loading its tables takes longer than everything else here. */
const graphemes = lazy(() => new Intl.Segmenter("en", { granularity: "grapheme" }));
/** A family emoji has about ten code points; a character with more is an attack. */
const LONGEST_CHARACTER = 32;

export function parseKey(given: string): Key {
  let rest = /^<.+>$/su.test(given) ? given.slice(1, -1) : given;
  const held = { shift: false, alt: false, ctrl: false };
  for (let match = MODIFIER.exec(rest); match !== null; match = MODIFIER.exec(rest)) {
    if (match[1] ?? match[4]) held.ctrl = true;
    else if (match[2] ?? match[5]) held.alt = true;
    else held.shift = true;
    rest = rest.slice(match[0].length);
  }
  const caret = /^\^([@-_a-z?])$/iu.exec(rest);
  if (caret?.[1] !== undefined) return characterKey(caret[1], { ...held, ctrl: true });
  if (isOneCharacter(rest)) {
    const name = CONTROLS[rest];
    return name === undefined ? characterKey(rest, held) : { kind: "named", name, ...held };
  }
  const plain = rest.toLowerCase().replace(/[\s_-]/gu, "");
  // "Keypad 7", "numpad7" and "KP_7" are the same key.
  const lower = plain.replace(/^(?:keypad|numpad|num)(?!lock)/u, "kp");
  if (lower === "backtab" || lower === "btab") return { kind: "named", name: "Tab", ...held, shift: true };
  const name = BY_LOWER_NAME.get(lower);
  if (name !== undefined) return { kind: "named", name, ...held };
  const character = Object.hasOwn(CHARACTER_NAMES, lower) ? CHARACTER_NAMES[lower] : undefined;
  if (character !== undefined) return characterKey(character, held);
  throw unknownKey(given, plain);
}

function characterKey(given: string, held: Modifiers): Key {
  // Ctrl+C is written with a capital letter but typed without Shift.
  const base = held.ctrl && /^[A-Z]$/u.test(given) ? given.toLowerCase() : given;
  return { kind: "character", ...held, text: held.shift ? shiftedOf(base) : base };
}

function isOneCharacter(text: string): boolean {
  if (text === "" || text.length > LONGEST_CHARACTER || /\p{Cs}/u.test(text)) return false;
  if (text.length === 1) return true;
  return [...graphemes().segment(text)].length === 1;
}

function unknownKey(given: string, plain: string): LimpetError {
  const shown = JSON.stringify(given.length > 40 ? `${given.slice(0, 40)}…` : given);
  const near = nearestWords(plain, [...BY_LOWER_NAME.keys()]).map((word) => BY_LOWER_NAME.get(word) ?? word);
  const meant =
    near.length > 0 ? [...new Set(near)].join(" or ") : "Enter, Tab, Esc, Up, PageDown, F1, Ctrl+C or Alt+x";
  const next =
    near.length > 0 ? `Did you mean ${meant}?` : `Give one key such as ${meant}; longer text is typed as text.`;
  return new LimpetError("BAD_OPTION", `No key is called ${shown}. ${next}`);
}
