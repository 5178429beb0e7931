/** Text that a program, a file or an agent chose, made harmless for a person's terminal. Pure. */
import { makeVisible } from "../../text/clean/make-visible.ts";

/** Line feeds and tabs stay. Controls, bidi and other invisible characters become `⟨U+001B⟩`. */
export function visible(text: string): string {
  return makeVisible(text);
}

/** The same on one line: line ends and tabs become blanks. */
export function visibleLine(text: string): string {
  return makeVisible(text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " "));
}

/** JSON that stays equal, with everything escaped that acts on a terminal or cannot be seen. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\x7f-\x9f\p{Cf}\u2028\u2029]/gu, (char) =>
    Array.from({ length: char.length }, (_, index) => unicodeEscape(char.charCodeAt(index))).join(""),
  );
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
