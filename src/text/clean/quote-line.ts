/**
 * Values that somebody else chose, such as a directory or the name of a process, inside a line of ours: always on one
 * line, with every invisible character escaped, so that a value can neither end its line nor pass for something else.
 */
import { escapeInvisible } from "./make-visible.ts";

/** Words that can stand without quotes: none of their characters separates the parts of a line. */
const WORD = /^[\p{L}\p{N}_./~@%+=-]+$/u;
const SEPARATORS = /[\t\n\u2028\u2029]/g;

/** Options of `quoteLine`. */
export interface QuoteOptions {
  /** A longer value is cut, with `…` after its closing quote. Default: no limit. */
  readonly maxChars?: number | undefined;
}

/** A JSON string without invisible characters: `"a\nb"`, `"\u202e"`. */
export function quoteLine(value: string, { maxChars = Number.POSITIVE_INFINITY }: QuoteOptions = {}): string {
  const isCut = value.length > maxChars;
  const shown = isCut ? value.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "") : value;
  return visibleLine(JSON.stringify(shown)) + (isCut ? "…" : "");
}

/** The value itself if it is a plain word, otherwise quoted. */
export function wordOrQuote(value: string, options: QuoteOptions = {}): string {
  const { maxChars = Number.POSITIVE_INFINITY } = options;
  return value.length <= maxChars && WORD.test(value) ? visibleLine(value) : quoteLine(value, options);
}

/** A text on one line: line ends, tabs and invisible characters as the escapes of JSON. */
export function visibleLine(text: string): string {
  return escapeInvisible(text, jsonEscape).replace(SEPARATORS, jsonEscape);
}

function jsonEscape(char: string): string {
  if (char === "\n") return "\\n";
  if (char === "\t") return "\\t";
  if (char === "\r") return "\\r";
  const units = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
