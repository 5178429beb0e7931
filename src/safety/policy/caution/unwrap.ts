/** Finds the program that another one runs. Pure. */
import { literalWord, type ShellWord } from "../syntax/simple-command.ts";
import { unknownWord } from "../syntax/word-of.ts";
import { WRAPPERS, type WrapperSpec } from "./wrappers.ts";

export interface Unwrapped {
  /** The words of the inner command; undefined if limpet cannot tell which they are. */
  readonly inner: readonly ShellWord[] | undefined;
  /** Names of variables that the wrapper sets for it. */
  readonly variables: readonly string[];
}

/** Undefined if the program is not a wrapper that limpet can read. */
export function unwrap(program: string, args: readonly ShellWord[]): Unwrapped | undefined {
  if (program === "find") return undefined;
  const spec = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
  if (!spec) return undefined;
  const at = afterOptions(spec, args);
  if (at === undefined) return { inner: undefined, variables: [] };
  const rest = args.slice(at);
  const variables = spec.assigns ? leadingAssignments(rest) : [];
  const words = rest.slice(variables.length + (spec.skip ?? 0));
  // An option after the skipped arguments, as in `flock FILE -c CODE`.
  const isOdd = words[0]?.start.startsWith("-") ?? false;
  return { inner: isOdd ? undefined : [...words, ...(spec.appends ? [unknownWord("…")] : [])], variables };
}

/** Where the arguments begin that are not options; undefined at an option that the table does not have. */
function afterOptions(spec: WrapperSpec, args: readonly ShellWord[]): number | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const { literal } = args[at] ?? literalWord("");
    if (literal === "--") return at + 1;
    // A computed word can be an option. Taken as the name of a program, it raises a caution, too.
    if (literal === undefined || !literal.startsWith("-") || literal === "-") return at;
    const taken = literal.startsWith("--") ? longOption(spec, literal) : shortOptions(spec, literal);
    if (taken === undefined) return undefined;
    at += taken;
  }
  return args.length;
}

/** How many more words it takes. */
function longOption({ longFlags = [], longValues = [] }: WrapperSpec, word: string): 0 | 1 | undefined {
  const [name = "", value] = word.slice(2).split(/=(.*)/s);
  if (longFlags.includes(name)) return 0;
  if (longValues.includes(name)) return value === undefined ? 1 : 0;
  return undefined;
}

function shortOptions({ flags = "", values = "" }: WrapperSpec, word: string): 0 | 1 | undefined {
  const chars = [...word.slice(1)];
  const first = chars.findIndex((char) => !flags.includes(char));
  if (first < 0) return 0;
  if (!values.includes(chars[first] ?? "-")) return undefined;
  return first === chars.length - 1 ? 1 : 0;
}

function leadingAssignments(words: readonly ShellWord[]): readonly string[] {
  const names: string[] = [];
  for (const { start } of words) {
    const [, name] = /^([^=]*)=/.exec(start) ?? [];
    if (name === undefined) break;
    names.push(name);
  }
  return names;
}

const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/;

/** The commands that `find` runs for each file. */
export function findCommands(args: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const commands: (readonly ShellWord[])[] = [];
  for (const [at, { literal }] of args.entries()) {
    if (!FIND_RUNS.test(literal ?? "")) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((word) => word.literal === ";" || word.literal === "+");
    const words = end < 0 ? rest : rest.slice(0, end);
    commands.push(words.map((word) => (word.literal?.includes("{}") ? fileWord(word) : word)));
  }
  return commands;
}

/** `{}` is a path below the directories that `find` searches; `-execdir` makes it begin with `./`. */
function fileWord({ text, literal = "" }: ShellWord): ShellWord {
  return { text, literal: undefined, start: literal.split("{}", 1)[0] ?? "", canSplit: false };
}
