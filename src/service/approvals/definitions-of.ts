/** What one text that a session was given may have defined in its shell. Pure. */
import { type Definitions, definitionsIn, startedDefinitions } from "../../safety/policy/definitions-in.ts";
import type { GivenText } from "./defined-names.ts";

const NO_NAME = /[\s;&|(){}<>'"`$\\]/;
const BETWEEN_WORDS = /[\s;&|(){}<>'"`$\\=]+/;
const PARENTHESES = /\(\s*\)/g;
const FUNCTION = /\bfunction\s+([^\s;&|(){}<>'"`$\\]+)/g;
const ALIAS = /\b(?:alias|abbr|hash)\b/;

export function definitionsOf({ kind, text }: GivenText, shell: string): Definitions {
  switch (kind) {
    case "part":
      return "any";
    case "start":
      return startedDefinitions(text, shell);
    case "command": {
      const found = definitionsIn(text, shell);
      return found === "any" ? found : [...new Set([...found, ...namesIn(text)])];
    }
    case "input":
      return namesIn(text);
  }
}

/**
 * Everything that looks like a definition, in any language: too many names are better than too few. Takes time
 * proportional to the length of the text, which may be a megabyte that was typed.
 */
export function namesIn(text: string): readonly string[] {
  const words = ALIAS.test(text) ? text.split(BETWEEN_WORDS) : [];
  const functions = [...text.matchAll(FUNCTION)].map(([, name = ""]) => name);
  const bodies = [...text.matchAll(PARENTHESES)].map(({ index }) => nameBefore(text, index));
  return [...new Set([...functions, ...bodies, ...words])].filter((name) => name !== "");
}

/** The word that ends before `end`, with white space after it or not. */
function nameBefore(text: string, end: number): string {
  let last = end;
  while (last > 0 && /\s/.test(text[last - 1] ?? "")) last -= 1;
  let first = last;
  while (first > 0 && !NO_NAME.test(text[first - 1] ?? "")) first -= 1;
  return text.slice(first, last);
}
