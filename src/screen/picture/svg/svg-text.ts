/** Text that a program chose, made harmless inside an SVG document. */

/** A character with more combining marks than this would cover the cells around it. */
const LONGEST_CELL = 16;

// biome-ignore-start lint/suspicious/noMisleadingCharacterClass: each is looked for by itself.
/** Not allowed in XML, or not a character. */
const FORBIDDEN = /[\0-\x1f\x7f-\x9f\p{Cs}\ufffe\uffff]/gu;
/** Would reverse the order of what follows. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// biome-ignore-end lint/suspicious/noMisleadingCharacterClass: as above.

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeText(text: string): string {
  return text
    .replace(BIDI, "")
    .replace(FORBIDDEN, "\ufffd")
    .replace(/[&<>"']/gu, (char) => ENTITIES[char] ?? "");
}

export function cellText(text: string): string {
  return text.length > LONGEST_CELL ? [...text].slice(0, LONGEST_CELL).join("") : text;
}
