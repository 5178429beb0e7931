/**
 * The functions and aliases that a text may define in the shell that reads it. A command of such a name is not the
 * program of that name. Pure.
 *
 * Where the names cannot be known, the answer is "any": for a text that cannot be parsed, which may be one part of a
 * definition, for code that is computed or comes from a file, and for shells that replace themselves.
 */

import { SHELLS } from "./caution/wrappers.ts";
import { type Examination, type ExaminedCommand, examineSource } from "./examine.ts";
import type { ShellWord } from "./syntax/simple-command.ts";

export type Definitions = readonly string[] | "any";

/** Commands of shells that take definitions from elsewhere, or define what their arguments do not show. */
const OPAQUE: ReadonlySet<string> = new Set(
  `. abbr autoload bind bindkey emulate enable fc functions sched source zcompile zle zmodload`.split(" "),
);
const DECLARES: ReadonlySet<string> = new Set("declare export local readonly typeset".split(" "));
const FILLS: ReadonlySet<string> = new Set("getopts mapfile read readarray".split(" "));
/** Variables in which shells keep aliases, functions and the paths of programs. */
const TABLES = /\b(?:BASH_ALIASES|BASH_CMDS|[gs]?aliases|(?:dis_)?functions|commands)\b\s*(?:\[|\+?=|\()/;
/** Functions that shells call for any word that is not a command. */
const HANDLER = /^command_not_found_handler?$/;
/** A text that only fish, or another shell, reads as a definition. */
const OTHER_DIALECT = /\b(?:alias|abbr|function|functions|eval|source|funcsave)\b|^\s*\./m;
const PLAIN_FLAG = /^(?:-[il]+|--(?:login|norc|noprofile|posix|no-rcs))$/;

export function definitionsIn(text: string, shell: string): Definitions {
  const examination = examineSource(text, shell);
  if (isUnknown(text, examination)) return "any";
  const functions = examination.cautions.filter(({ name }) => name === "function").map(({ part }) => part);
  const found = [functions, ...examination.commands.map(definedBy)];
  if (functions.some((name) => HANDLER.test(name)) || found.includes("any")) return "any";
  return [...new Set(found.flat())];
}

/** Like `definitionsIn`, for the command that a session was started with: it may become a shell itself. */
export function startedDefinitions(text: string, shell: string): Definitions {
  const { commands } = examineSource(text, shell);
  const isPlain = commands.every(({ command: { words } }) => {
    const [first, ...args] = words;
    const name = first?.literal?.split("/").at(-1) ?? "";
    return !SHELLS.has(name) || args.every(({ literal }) => PLAIN_FLAG.test(literal ?? ""));
  });
  return isPlain ? definitionsIn(text, shell) : "any";
}

function isUnknown(text: string, { cautions, commands }: Examination): boolean {
  const names = new Set([...cautions, ...commands.flatMap((each) => each.cautions)].map(({ name }) => name));
  // The next line continues this one, perhaps within a word.
  if (/\\\s*$/.test(text)) return true;
  if (names.has("parse") || names.has("computed-command") || names.has("characters") || TABLES.test(text)) return true;
  return names.has("dialect") && OTHER_DIALECT.test(text);
}

function definedBy({ command: { words } }: ExaminedCommand): Definitions {
  const [first, ...args] = words;
  const name = first?.literal ?? "";
  const isComputed = args.some(({ literal }) => literal === undefined);
  if (OPAQUE.has(name)) return "any";
  // The shell itself becomes another program, perhaps a shell with definitions of its own.
  if (name === "exec") return args.length > 0 ? "any" : [];
  if (name === "alias") return args.some(isHiddenName) ? "any" : args.map(aliasOf);
  if (name === "hash") return isComputed ? "any" : args.map(({ literal = "" }) => literal);
  if (name === "eval" || name === "trap" || FILLS.has(name)) return isComputed ? "any" : [];
  if (name === "printf") return isFilling(args) ? "any" : [];
  if (!DECLARES.has(name)) return [];
  const isReference = name !== "export" && args.some(({ start }) => /^[-+][A-Za-z]*n/.test(start));
  return isReference || args.some(isHiddenName) ? "any" : [];
}

function aliasOf({ start }: ShellWord): string {
  return start.split("=", 1)[0] ?? "";
}

/** A computed word may be the name. */
function isHiddenName({ literal, start }: ShellWord): boolean {
  return literal === undefined && !start.includes("=");
}

/** `printf -v` with a computed name. */
function isFilling([option, name]: readonly ShellWord[]): boolean {
  if (!option || (option.literal !== undefined && option.literal !== "-v")) return false;
  const canBeOption = option.literal === "-v" || option.start === "" || option.start.startsWith("-");
  return canBeOption && name?.literal === undefined;
}
