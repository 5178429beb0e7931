/**
 * Makes characters visible that a reader cannot see but a model still reads: bidi controls, zero-width characters, tag
 * characters, variation selectors on nothing, C1 controls. `⟨U+202E⟩` stands for the character of that number.
 */
// biome-ignore-start lint/suspicious/noMisleadingCharacterClass: each is looked for by itself.
const ASCII_ONLY = /^[\t\n -~]*$/;

/** Candidates: controls, format characters, variation selectors, fillers that draw nothing, separators. */
const SUSPECT =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u3164\ufe00-\ufe0f\uffa0\u{e0000}-\u{e0fff}]/gu;

/**
 * Finds at least all of these, many times faster: without the u flag, by whole blocks and by first surrogates. A test
 * compares it with the exact one.
 */
const PERHAPS =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud804\ud80d\ud82f\ud834\udb40-\udb43]/;
// biome-ignore-end lint/suspicious/noMisleadingCharacterClass: as above.

const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;
const TAKES_A_SELECTOR = /[\p{Emoji}\p{Extended_Pictographic}]$/u;

const ZERO_WIDTH_JOINER = "\u200d";

export function makeVisible(text: string): string {
  return escapeInvisible(text, escapeOf);
}

/** The same with another form of escape. Tabs and line feeds stay. */
export function escapeInvisible(text: string, escapeOne: (char: string) => string): string {
  if (ASCII_ONLY.test(text) || !PERHAPS.test(text)) return text;
  return text.replace(SUSPECT, (char: string, at: number) => (isAtHome(char, text, at) ? char : escapeOne(char)));
}

/** C0 controls and DEL in caret notation: `^A`, `^?`. */
export function caretNotation(byte: number): string {
  return `^${String.fromCharCode(byte ^ 0x40)}`;
}

function isAtHome(char: string, text: string, at: number): boolean {
  // The longest text that may precede it: a pictograph of two units and a selector.
  const before = text.slice(Math.max(0, at - 3), at);
  if (char === ZERO_WIDTH_JOINER) {
    return EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(text.slice(at + 1, at + 3));
  }
  if (char === "\ufe0e" || char === "\ufe0f") return TAKES_A_SELECTOR.test(before);
  return false;
}

function escapeOf(char: string): string {
  return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
