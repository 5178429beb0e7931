/**
 * The names that commands may have defined in the shell of a session: aliases and functions. A command of such a name
 * is not the program of that name. Rather too many names than too few: for more of them a person is asked.
 */
import { MAX_DEFINED_NAMES } from "../../base/limits.ts";
import type { Session } from "../../session/session.ts";

const FUNCTIONS = [/([^\s;&|(){}<>'"`$\\]+)\s*\(\s*\)/g, /\bfunction\s+([^\s;&|(){}<>'"`$\\]+)/g];
const ALIAS = /\b(?:alias|abbr|hash)\b/;
const ALIASED = /([^\s;&|(){}<>'"`$\\=]+)(?==|\s|$)/g;

/** Pure. */
export function namesDefinedBy(text: string): readonly string[] {
  const patterns = ALIAS.test(text) ? [...FUNCTIONS, ALIASED] : FUNCTIONS;
  return [...new Set(patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name)))];
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
