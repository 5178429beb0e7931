/** Finds what is wrong with a command's arguments, and suggests what was meant. Pure. */
import { nearestWords } from "../../text/search/nearest-words.ts";
import { type ArgSpec, type ArgSpecs, isFlag, isOffered, positionalName } from "./command.ts";

export interface GivenFlag {
  readonly name: string;
  /** As it was typed. */
  readonly word: string;
  readonly hasValue: boolean;
}

interface GivenWords {
  readonly flags: readonly GivenFlag[];
  readonly others: readonly string[];
}

/** Follows the name of the command: "has no flag --x. Did you mean --y?" Undefined if nothing is wrong. */
export function findArgProblem({ flags, others }: GivenWords, specs: ArgSpecs): string | undefined {
  const [problem] = flags.flatMap((flag) => problemWithFlag(flag, specs) ?? []);
  return problem ?? surplus(others, specs) ?? missing(flags, others, specs);
}

function problemWithFlag({ name, word, hasValue }: GivenFlag, specs: ArgSpecs): string | undefined {
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (!spec || !isFlag(spec)) {
    const known = Object.keys(specs).filter((name) => isOffered(specs[name]));
    const [meant] = nearestWords(word.replace(/^-+/, ""), known);
    if (meant !== undefined) return `has no flag ${word}. Did you mean --${meant}?`;
    return `has no flag ${word}.${takesCommand(specs) ? " Put a command with its options into quotes." : ""}`;
  }
  if (spec.type === "boolean") return hasValue ? `takes no value for ${word}.` : undefined;
  return hasValue ? undefined : `needs a value after ${word}.`;
}

/** Whether it takes words after a choice, such as `policy check CMD`. */
function takesCommand(specs: ArgSpecs): boolean {
  const [first, second] = Object.values(specs).filter((spec) => !isFlag(spec));
  return (
    first?.type === "positional" && first.choices !== undefined && second?.type === "positional" && !!second.isList
  );
}

function surplus(others: readonly string[], specs: ArgSpecs): string | undefined {
  const positionals = Object.values(specs).filter((spec) => !isFlag(spec));
  if (positionals.some((spec) => spec.type === "program" || spec.isList)) return undefined;
  const word = others[positionals.length];
  return word === undefined
    ? undefined
    : `takes no argument ${JSON.stringify(word)}. Put text with spaces into quotes.`;
}

function missing(flags: readonly GivenFlag[], others: readonly string[], specs: ArgSpecs): string | undefined {
  const positionals = Object.entries(specs).filter(([, spec]) => !isFlag(spec));
  const [word] = positionals.slice(others.length);
  if (word && !(word[1].type === "positional" && word[1].isOptional)) return needs(...word);
  const flag = Object.entries(specs).find(
    ([name, spec]) => spec.type === "string" && spec.isRequired && !flags.some((given) => given.name === name),
  );
  return flag && `needs --${flag[0]}.`;
}

function needs(name: string, spec: ArgSpec): string {
  const choices = spec.type === "positional" ? spec.choices : undefined;
  return `needs <${positionalName(name, spec)}>${choices ? `: ${choices.join(", ")}` : ""}.`;
}
