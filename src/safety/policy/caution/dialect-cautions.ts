/** Whether a shell reads a command as bash does. limpet parses every command as bash. Pure. */
import { posix } from "node:path";
import type { ParsedShell, SimpleCommand } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";

const POSIX = new Set(["sh", "dash", "ash"]);

/**
 * What zsh and fish read as bash does: plain words, variables, quotes, operators, redirections. Neither parentheses nor
 * braces, and no = ~ ^ # ! [ at places where these shells have meanings of their own.
 */
const COMMON =
  /^(?:[\w./:@%+,\-*?;&|<>\s]|[\w-]=|'[^'\\!]*'|"(?:[^"\\$`!]|\$[A-Za-z_]\w*(?![\w[:(]))*"|\$[A-Za-z_]\w*(?![\w[:(]))*$/;
/** Operators of zsh that bash reads differently. */
const OTHER_OPERATORS = /&\||;\||<->|<\d*-\d*>|>>?&?\||<<|\|&|[<>]&?-?$/;

const RESERVED: Readonly<Record<string, ReadonlySet<string>>> = {
  zsh: new Set(
    "- noglob nocorrect repeat foreach end always select function coproc time nameref float integer".split(" "),
  ),
  fish: new Set(
    "and or not begin end if else while for switch case function command builtin exec time set test".split(" "),
  ),
};

export function dialectCautions(source: string, shell: string, { commands, notes }: ParsedShell): readonly Caution[] {
  const name = posix.basename(shell).replace(/^-/, "");
  if (name === "bash") return [];
  if (POSIX.has(name)) {
    const other = notes.find(({ kind }) => kind === "bash-only");
    return other ? [{ name: "dialect", part: other.text }] : [];
  }
  const reserved = RESERVED[name];
  if (!reserved || !COMMON.test(source) || OTHER_OPERATORS.test(source)) return [{ name: "dialect", part: source }];
  const word = commands.flatMap(({ words }) => words.slice(0, 1)).find(({ literal }) => reserved.has(literal ?? ""));
  if (word) return [{ name: "dialect", part: word.text }];
  return name === "zsh" ? commands.filter(evaluates).map(({ text }) => ({ name: "arithmetic", part: text })) : [];
}

/** Commands of zsh that read their arguments as arithmetic. */
const EVALUATES = new Set("printf print exit logout return break continue shift test read set popd pushd".split(" "));

function evaluates({ words: [first, ...args] }: SimpleCommand): boolean {
  return (
    EVALUATES.has(first?.literal ?? "") && args.some(({ literal }) => literal === undefined || /[[$`]/.test(literal))
  );
}
