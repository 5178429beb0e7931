/**
 * Makes characters visible that a person takes for others: `е` (Cyrillic) for `e`, `；` for `;`, a no-break space for a
 * blank. For texts that a person approves, where each character counts. What cannot be seen at all is escaped as well.
 *
 * A letter of another script stays as it is in a word that has at least one letter without a Latin look-alike and no
 * Latin letter: a name or a sentence in that script is readable, and cannot be mistaken for another one.
 */
import { makeVisible } from "./make-visible.ts";

/** A word as a reader sees it: letters of any script with digits and marks. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const OTHER_SCRIPTS = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/gu;
const LATIN = /\p{Script=Latin}/u;
/** Letters of Cyrillic, Greek and Armenian that look like Latin ones. */
const LOOKS_LATIN = /^[аеорсухѕіјԁһԛԝкмтвнпгАВЕЅЗІЈКМНОРСТУХԌԜаοανρτυικΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսցհոԼՍՕ]$/u;
/** Not letters: quotation marks, dashes, slashes, colons and blanks that ASCII has another character for. */
const PUNCTUATION =
  /[\u00a0\u00b4\u02b9-\u02bd\u2000-\u200a\u2010-\u201f\u2024\u202f\u2032-\u2037\u2039\u203a\u2044\u205f\u2212\u2215-\u2217\u2223\u2236\u223c\u29f5\u29f8\u3000\ua789\ufe68]/gu;
/** A mark on an ASCII character that does not need it: the letter is not what it seems. */
const MARKED = /(?<=[\x21-\x7e])\p{M}/gu;

export function exposeLookAlikes(text: string): string {
  if (/^[\t\n -~]*$/.test(text)) return text;
  const words = text.replace(WORD, exposeWord);
  return makeVisible(
    words
      .replace(MARKED, escapeOf)
      .replace(PUNCTUATION, escapeOf)
      .replace(/[^\0-\x7f]/gu, exposeForm),
  );
}

function exposeWord(word: string): string {
  if (!OTHER_SCRIPT.test(word)) return word;
  const others = word.match(OTHER_SCRIPTS) ?? [];
  const isReadable = !LATIN.test(word) && others.some((char) => !LOOKS_LATIN.test(char));
  return isReadable ? word : word.replace(OTHER_SCRIPTS, escapeOf);
}

/** Another form of ASCII characters: full width, mathematical, ligatures. */
function exposeForm(char: string): string {
  const plain = char.normalize("NFKC");
  return plain !== char && /^[\x20-\x7e]+$/.test(plain) ? escapeOf(char) : char;
}

function escapeOf(char: string): string {
  return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
