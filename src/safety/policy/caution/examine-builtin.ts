/** What commands of the shell itself change or run. Pure. */

import { canBeOption } from "../rules/match-rule.ts";
import type { ShellWord } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";
import { environmentCaution, integerCaution, shellVariableCaution } from "./variables.ts";

export interface BuiltinFindings {
  readonly cautions: readonly Caution[];
  /** Code that it runs now or later; undefined if that is computed. */
  readonly code: readonly (string | undefined)[];
}

/** Commands that change how the shell runs later commands, in bash, zsh and fish. */
const CHANGES_SHELL: ReadonlySet<string> = new Set(
  `. abbr add-zsh-hook alias autoload bind bindkey bg compdef compgen complete compopt disable emulate enable eval fc funcsave
   functions hash history rehash sched setopt shopt source trap unsetopt vared zcompile zle zmodload
   zparseopts zpty zstyle`.split(/\s+/),
);
const ASSIGNS: ReadonlySet<string> = new Set(["export", "declare", "typeset", "local", "readonly", "integer", "float"]);
const FILLS: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "getopts", "unset", "wait"]);
const IDENTIFIER = /^[A-Za-z_]\w*$/;
/** Of `set`: stop at errors, unset variables and failed pipes, trace, positional parameters. */
const HARMLESS_SET = /^(?:[-+][eux]+o?|errexit|nounset|pipefail|xtrace|--)$/;

const NOTHING: BuiltinFindings = { cautions: [], code: [] };

export function examineBuiltin(name: string, args: readonly ShellWord[]): BuiltinFindings {
  const part = [name, ...args.map(({ text }) => text)].join(" ");
  const found = (...cautions: readonly Caution[]): BuiltinFindings => ({ cautions, code: [] });
  if (ASSIGNS.has(name)) return found(...args.flatMap((arg) => declared(name, arg)));
  if (FILLS.has(name)) return found(...args.flatMap(filled));
  if (CHANGES_SHELL.has(name)) return changesShell(name, args, part);
  switch (name) {
    case "let":
      return found({ name: "arithmetic", part });
    case "set":
      return args.every(({ literal }) => HARMLESS_SET.test(literal ?? "")) ? NOTHING : found({ name: "shell", part });
    case "jobs":
      return args.some((arg) => canBeOption(arg)) ? found({ name: "shell", part }) : NOTHING;
    case "printf":
      return found(...printed(args, part));
    case "test":
    case "[":
      return args.some((arg, at) => evaluates(arg, args[at + 1])) ? found({ name: "arithmetic", part }) : NOTHING;
    default:
      return NOTHING;
  }
}

function changesShell(name: string, args: readonly ShellWord[], part: string): BuiltinFindings {
  const cautions: readonly Caution[] = [{ name: "shell", part, namedBy: 1 }];
  const isLiteral = args.every(({ literal }) => literal !== undefined);
  switch (name) {
    case "eval":
      return { cautions, code: [isLiteral ? args.map(({ literal }) => literal).join(" ") : undefined] };
    case "trap":
      return { cautions, code: args.slice(0, 1).map(({ literal }) => literal) };
    case "alias":
      return { cautions, code: args.map(({ literal }) => literal?.replace(/^[^=]*=?/, "")) };
    default:
      return { cautions, code: [] };
  }
}

/** One argument of `export`, `declare` and their like. */
function declared(builtin: string, { literal, start, text }: ShellWord): readonly Caution[] {
  if (/^[-+]/.test(start)) {
    // References, integers, functions and lists give values or names a meaning that is not visible here.
    return /^[-+][xrgtpaA]+$/.test(literal ?? "") ? [] : [{ name: "shell", part: `${builtin} ${text}` }];
  }
  const [, name = ""] = /^([^=+]*)/.exec(start) ?? [];
  if (!IDENTIFIER.test(name)) return [{ name: "arithmetic", part: text }];
  const isLocal = builtin === "local" || builtin === "readonly";
  const set = isLocal ? shellVariableCaution(name, text) : environmentCaution(name, text);
  return [...set, ...integerCaution(name, literal?.slice(name.length + 1), text)];
}

/** One argument of `read` and its like, each of which can be the name of a variable. */
function filled({ literal, text }: ShellWord): readonly Caution[] {
  // A name can have an index, which is evaluated.
  if (literal === undefined || /[[$`]/.test(literal)) return [{ name: "arithmetic", part: text }];
  // A callback of mapfile.
  if (/^-[a-zA-Z]*C/.test(literal)) return [{ name: "shell", part: text }];
  return [...shellVariableCaution(literal, text), ...integerCaution(literal, undefined, text)];
}

/** `printf -v NAME` fills a variable. */
function printed([option, next]: readonly ShellWord[], part: string): readonly Caution[] {
  if (!option || !canBeOption(option) || option.literal === "--") return [];
  const name = option.literal === "-v" ? next?.literal : option.literal?.replace(/^-v/, "");
  if (name === undefined || !IDENTIFIER.test(name)) return [{ name: "arithmetic", part }];
  return [...shellVariableCaution(name, part), ...integerCaution(name, undefined, part)];
}

/** `-v NAME[INDEX]` evaluates the index. What is computed can be this operator; what splits, both words. */
function evaluates({ literal, start, canSplit }: ShellWord, next: ShellWord | undefined): boolean {
  if (canSplit) return true;
  const canBeOperator = literal === undefined ? start === "" : /^-[vR]$/.test(literal);
  if (!canBeOperator || next === undefined) return false;
  return next.literal === undefined || /[[$`]/.test(next.literal);
}
