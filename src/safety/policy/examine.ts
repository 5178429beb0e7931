/**
 * Everything that a command would run, as far as it can be known before, and every reason for caution. Pure; does not
 * know policies.
 */
import { MAX_JUDGED_CHARS, MAX_JUDGED_DEPTH, MAX_JUDGED_OPENERS } from "../../base/limits.ts";
import type { CommandAct, ProgramAct } from "./act.ts";
import type { Caution } from "./caution/caution.ts";
import { characterCautions } from "./caution/character-cautions.ts";
import { dialectCautions } from "./caution/dialect-cautions.ts";
import { inspectCommand } from "./caution/inspect-command.ts";
import type { Inner } from "./caution/inspection.ts";
import { environmentCaution, integerCaution, shellVariableCaution } from "./caution/variables.ts";
import { parseShell } from "./syntax/parse-shell.ts";
import { literalCommand, type ParsedShell, type ShellNote, type SimpleCommand } from "./syntax/simple-command.ts";

/** One command that would run, with its own cautions. */
export interface ExaminedCommand {
  readonly command: SimpleCommand;
  readonly cautions: readonly Caution[];
  /** The commands that run it, from the outside in. */
  readonly via: readonly string[];
}

export interface Examination {
  readonly commands: readonly ExaminedCommand[];
  /** Those that do not belong to one command. */
  readonly cautions: readonly Caution[];
}

export function examine(act: CommandAct | ProgramAct): Examination {
  const variables = Object.keys(act.env).flatMap((name) => environmentCaution(name, name));
  const found = act.kind === "program" ? examineProgram(act) : examineSource(act.command, act.shell);
  if (act.kind === "program") return { ...found, cautions: [...variables, ...found.cautions] };
  return { ...found, cautions: [...variables, ...found.cautions, ...stateCautions(act, found.commands)] };
}

function examineProgram({ program, args }: ProgramAct): Examination {
  const command = literalCommand([program, ...args]);
  const odd = characterCautions(program, { commands: [command], notes: [] });
  const found = examineCommand(command, { shell: "bash", via: [] });
  return { ...found, cautions: [...odd, ...found.cautions] };
}

interface Context {
  readonly shell: string;
  readonly via: readonly string[];
}

export function examineSource(source: string, shell: string, via: readonly string[] = []): Examination {
  if (via.length > MAX_JUDGED_DEPTH || isUnparsable(source))
    return { commands: [], cautions: [{ name: "parse", part: source.slice(0, 200) }] };
  const parsed = parseShell(source);
  const cautions = [
    ...characterCautions(source, parsed),
    ...dialectCautions(source, shell, parsed),
    ...parsed.notes.flatMap(noteCautions),
    ...emptyCautions(source, parsed),
    ...oddCautions(source),
  ];
  return merge([
    { commands: [], cautions },
    ...parsed.commands.map((command) => examineCommand(command, { shell, via })),
  ]);
}

/** Too long, or nested in ways for which the parser takes quadratic time. */
function isUnparsable(source: string): boolean {
  if (source.length > MAX_JUDGED_CHARS || source.includes("\0")) return true;
  return TANGLES.some((opener) => source.split(opener).length > MAX_JUDGED_OPENERS);
}

const TANGLES = ["$[", "$(", "${", "!", "`", "<(", "{", "(", "<<", "coproc", "function"];

function examineCommand(command: SimpleCommand, { shell, via }: Context): Examination {
  const { cautions, inner } = inspectCommand(command);
  const deeper = [...via, command.text];
  if (inner.length > 0 && deeper.length > MAX_JUDGED_DEPTH)
    return { commands: [{ command, cautions, via }], cautions: [{ name: "parse", part: command.text }] };
  return merge([
    { commands: [{ command, cautions, via }], cautions: [] },
    ...inner.map((each) => examineInner(each, { shell, via: deeper })),
  ]);
}

function examineInner(inner: Inner, { shell, via }: Context): Examination {
  if (inner.kind === "code") return examineSource(inner.source, inner.shell ?? shell, via);
  const text = inner.words.map((word) => word.text).join(" ");
  return examineCommand({ text, words: inner.words, assignments: [], redirections: [], places: [] }, { shell, via });
}

function merge(parts: readonly Examination[]): Examination {
  return {
    commands: parts.flatMap(({ commands }) => commands),
    cautions: parts.flatMap(({ cautions }) => cautions),
  };
}

function noteCautions({ kind, text }: ShellNote): readonly Caution[] {
  switch (kind) {
    case "error":
      return [{ name: "parse", part: text }];
    case "arithmetic":
    case "function":
      return [{ name: kind, part: text }];
    case "variable":
      return [...shellVariableCaution(text, text), ...integerCaution(text, undefined, text)];
    case "bash-only":
      return [];
  }
}

/** If the parser finds nothing in a text that is not empty, its result is not trusted. */
function emptyCautions(source: string, { commands, notes }: ParsedShell): readonly Caution[] {
  const isEmpty = source.split("\n").every((line) => /^\s*(?:#.*)?$/.test(line));
  return commands.length === 0 && notes.length === 0 && !isEmpty ? [{ name: "parse", part: source }] : [];
}

/** What bash handles before it splits the line into words, and the parser only afterwards. */
function oddCautions(source: string): readonly Caution[] {
  return [
    // An old form of arithmetic. With quotes in it, bash may find another end than the parser.
    ...(source.includes("$[") ? [{ name: "arithmetic", part: source } as const] : []),
    // A line that continues within a word or an operator: `$\` and `(rm x)` on the next line are a substitution.
    ...(/\S\\\n/.test(source) ? [{ name: "parse", part: source } as const] : []),
  ];
}

/** What depends on the commands that ran before in the same shell. */
function stateCautions(act: CommandAct, commands: readonly ExaminedCommand[]): readonly Caution[] {
  const defined = definedWords(act.definedNames, commands);
  const hasHistory = act.isShared && /!(?![\s=(]|$)|^\s*\^/m.test(act.command);
  return [
    ...defined.map((part): Caution => ({ name: "defined", part })),
    ...(hasHistory ? [{ name: "history", part: act.command } as const] : []),
  ];
}

/** Also after the first word: `sudo`, `xargs` and aliases run a later word as a command. */
function definedWords(names: CommandAct["definedNames"], commands: readonly ExaminedCommand[]): readonly string[] {
  const words = commands.flatMap(({ command }) => command.words);
  if (names === "any") return commands.flatMap(({ command }) => command.words.slice(0, 1)).map(({ text }) => text);
  const known = new Set(names);
  return words.filter(({ literal }) => literal !== undefined && known.has(literal)).map(({ text }) => text);
}
