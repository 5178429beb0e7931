/**
 * The names that agents may have defined in the shell of a session: aliases and functions. A command of such a name is
 * not the program of that name.
 *
 * What a session is given is kept as text, and parsed only when the names are asked for: the parser is large, and most
 * hosts have no policy. Where names cannot be known, or would be too many, the answer is "any".
 */
import { MAX_DEFINED_NAMES, MAX_DEFINING_CHARS } from "../../base/limits.ts";
import type { Definitions } from "../../safety/policy/definitions-in.ts";
import type { Session } from "../../session/session.ts";

/**
 * `start`: the session was started with this command. `command`: whole lines for its shell. `input`: anything that
 * another program reads. `part`: typed at the prompt of the shell, which then runs something that is not known here.
 */
export interface GivenText {
  readonly kind: "start" | "command" | "input" | "part";
  readonly text: string;
}

interface Known {
  readonly names: Set<string>;
  isAny: boolean;
  /** Not read yet. */
  given: GivenText[];
  chars: number;
}

/** Such a line defines nothing: no parentheses, quotes or expansions, and none of the words that define. */
const HARMLESS =
  /^(?!.*\b(?:abbr|alias|autoload|bind|bindkey|declare|emulate|enable|eval|exec|export|fc|function|functions|hash|local|mapfile|printf|read|readarray|readonly|sched|source|trap|typeset|zle|zmodload)\b)(?!\s*\.\s)[\w ./:@%+,=-]*$/;

export class DefinedNames {
  readonly #known = new WeakMap<Session, Known>();

  /** The session is given this text. */
  note(session: Session, given: GivenText): void {
    const known = this.#known.get(session) ?? { names: new Set(), isAny: false, given: [], chars: 0 };
    this.#known.set(session, known);
    const isHarmless = (given.kind === "command" || given.kind === "input") && HARMLESS.test(given.text);
    if (known.isAny || isHarmless) return;
    known.given.push(given);
    known.chars += given.text.length;
    if (given.kind === "part" || known.chars > MAX_DEFINING_CHARS) forget(known);
  }

  /** Undefined if the session was given nothing yet. */
  async of(session: Session): Promise<Definitions | undefined> {
    const known = this.#known.get(session);
    if (!known) return undefined;
    if (known.given.length > 0) {
      const { definitionsOf } = await import("./definitions-of.ts");
      // Nothing may be noted between reading and forgetting the texts.
      for (const given of known.given.splice(0)) add(known, definitionsOf(given, session.program));
      known.chars = 0;
    }
    return known.isAny ? "any" : [...known.names];
  }
}

function add(known: Known, found: Definitions): void {
  if (found === "any") forget(known);
  else for (const name of found) known.names.add(name);
  if (known.names.size > MAX_DEFINED_NAMES) forget(known);
}

/** From now on, any name may be defined. */
function forget(known: Known): void {
  known.isAny = true;
  known.names.clear();
  known.given = [];
  known.chars = 0;
}
