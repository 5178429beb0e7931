/** Reads the words after a command's name. Pure. */
import { parseArgs as parseTokens } from "node:util";
import { type ArgSpecs, type Args, type ArgValue, isFlag } from "./command.ts";
import { findArgProblem, type GivenFlag } from "./find-arg-problem.ts";

export type ParsedArgs =
  | { readonly kind: "args"; readonly args: Args }
  | { readonly kind: "help" }
  /** Follows the name of the command: "has no flag --x. Did you mean --y?" */
  | { readonly kind: "problem"; readonly problem: string };

type Token = NonNullable<ReturnType<typeof tokensOf>>[number];
type OptionToken = Extract<Token, { readonly kind: "option" }>;

export function parseArgs(words: readonly string[], specs: ArgSpecs): ParsedArgs {
  const { flags, others } = sortTokens(words, specs);
  if (flags.some(({ name }) => name === "help")) return { kind: "help" };
  const problem = findArgProblem({ flags: flags.map((flag) => givenFlag(flag, words)), others }, specs);
  if (problem !== undefined) return { kind: "problem", problem };
  return { kind: "args", args: { ...flagValues(flags, specs), ...positionalValues(others, specs) } };
}

interface SortedTokens {
  readonly flags: readonly OptionToken[];
  readonly others: readonly string[];
}

function sortTokens(words: readonly string[], specs: ArgSpecs): SortedTokens {
  const takesProgram = Object.values(specs).some(({ type }) => type === "program");
  const flags: OptionToken[] = [];
  const others: string[] = [];
  for (const token of tokensOf(words, specs)) {
    if (token.kind === "option") flags.push(token);
    else if (takesProgram) return { flags, others: words.slice(token.index + (token.kind === "positional" ? 0 : 1)) };
    else if (token.kind === "positional") others.push(token.value);
  }
  return { flags, others };
}

/** Not strict: Node then refuses values that begin with a dash, and its messages suggest nothing. */
function tokensOf(words: readonly string[], specs: ArgSpecs) {
  const options = Object.entries(specs).flatMap(([name, spec]) =>
    isFlag(spec) ? [[name, { type: spec.type, ...(spec.short !== undefined && { short: spec.short }) }] as const] : [],
  );
  const help = { type: "boolean", short: "h" } as const;
  const config = { options: { help, ...Object.fromEntries(options) }, strict: false, tokens: true } as const;
  return parseTokens({ args: [...words], ...config }).tokens;
}

function givenFlag({ name, index, value }: OptionToken, words: readonly string[]): GivenFlag {
  return { name, word: (words[index] ?? "").replace(/=.*/s, ""), hasValue: value !== undefined };
}

function flagValues(flags: readonly OptionToken[], specs: ArgSpecs): Args {
  const values: Record<string, ArgValue> = {};
  for (const token of flags) {
    const spec = specs[token.name];
    if (spec?.type === "boolean") values[token.name] = true;
    if (spec?.type !== "string") continue;
    // Node takes the "=" of "-o=FILE" for a part of the value.
    const isShort = token.inlineValue && !token.rawName.startsWith("--");
    const value = (token.value ?? "").slice(isShort && token.value?.startsWith("=") ? 1 : 0);
    const before = values[token.name];
    values[token.name] = spec.isList ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return values;
}

function positionalValues(others: readonly string[], specs: ArgSpecs): Args {
  const entries = Object.entries(specs)
    .filter(([, spec]) => !isFlag(spec))
    .map(([name, spec], index) => {
      const isRest = spec.type === "program" || (spec.type === "positional" && spec.isList);
      return [name, isRest ? others.slice(index) : others[index]] as const;
    });
  return Object.fromEntries(entries);
}
