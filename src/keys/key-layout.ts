/** The characters of a US keyboard, and what Shift and Ctrl turn each of them into, as in xterm. */

const UNSHIFTED = "1234567890-=[]\\;'`,./";
const SHIFTED = '!@#$%^&*()_+{}|:"~<>?';

export function shiftedOf(character: string): string {
  const at = character.length === 1 ? UNSHIFTED.indexOf(character) : -1;
  if (at >= 0) return SHIFTED.charAt(at);
  const upper = character.toUpperCase();
  // The capital of some letters, such as ß, is two characters; no key types those.
  return [...upper].length === [...character].length ? upper : character;
}

/** Whether Shift is held to type it. */
export function isShifted(character: string): boolean {
  return SHIFTED.includes(character) || (character !== character.toLowerCase() && [...character].length === 1);
}

/** Digits and signs for the control characters that have no letter. */
const CONTROL_OF: Readonly<Record<string, string>> = {
  " ": "\0",
  "2": "\0",
  "@": "\0",
  "`": "\0",
  "3": "\x1b",
  "[": "\x1b",
  "{": "\x1b",
  "4": "\x1c",
  "\\": "\x1c",
  "|": "\x1c",
  "5": "\x1d",
  "]": "\x1d",
  "}": "\x1d",
  "6": "\x1e",
  "^": "\x1e",
  "~": "\x1e",
  "7": "\x1f",
  "/": "\x1f",
  _: "\x1f",
  "8": "\x7f",
  "?": "\x7f",
};

/** The control character that Ctrl turns it into; undefined if Ctrl changes nothing. */
export function controlOf(character: string): string | undefined {
  if (/^[a-z]$/iu.test(character)) return String.fromCharCode(character.charCodeAt(0) & 0x1f);
  return Object.hasOwn(CONTROL_OF, character) ? CONTROL_OF[character] : undefined;
}
