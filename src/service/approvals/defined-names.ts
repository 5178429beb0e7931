/**
 * The names that commands may have defined in the shell of a session: aliases and functions. A command of such a name
 * is not the program of that name. Rather too many names than too few: for more of them a person is asked.
 */
import { MAX_DEFINED_NAMES } from "../../base/limits.ts";
import type { Session } from "../../session/session.ts";

const NO_NAME = /[\s;&|(){}<>'"`$\\]/;
const BETWEEN_WORDS = /[\s;&|(){}<>'"`$\\=]+/;
const PARENTHESES = /\(\s*\)/g;
const FUNCTION = /\bfunction\s+([^\s;&|(){}<>'"`$\\]+)/g;
const ALIAS = /\b(?:alias|abbr|hash)\b/;

/** Pure. In time proportional to the text, which may be a megabyte that was typed. */
export function namesDefinedBy(text: string): readonly string[] {
  const words = ALIAS.test(text) ? text.split(BETWEEN_WORDS) : [];
  const functions = [...text.matchAll(FUNCTION)].map(([, name = ""]) => name);
  const bodies = [...text.matchAll(PARENTHESES)].map(({ index }) => nameBefore(text, index));
  return [...new Set([...functions, ...bodies, ...words])].filter((name) => name !== "");
}

/** The word that ends before `end`, with white space behind it or not. */
function nameBefore(text: string, end: number): string {
  let last = end;
  while (last > 0 && /\s/.test(text[last - 1] ?? "")) last -= 1;
  let first = last;
  while (first > 0 && !NO_NAME.test(text[first - 1] ?? "")) first -= 1;
  return text.slice(first, last);
}

export class DefinedNames {
  readonly #names = new WeakMap<Session, Set<string>>();

  /** The session is given this text: a command, or something typed. */
  note(session: Session, text: string): void {
    const names = this.#names.get(session) ?? new Set<string>();
    this.#names.set(session, names);
    for (const name of namesDefinedBy(text)) if (names.size < MAX_DEFINED_NAMES) names.add(name);
  }

  /** Undefined if the session was given nothing yet. */
  of(session: Session): readonly string[] | undefined {
    const names = this.#names.get(session);
    return names && [...names];
  }
}
