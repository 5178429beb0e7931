/**
 * Which of the words on a command line are flags, which are their values, and which stand for themselves. Pure.
 *
 * The library takes what it does not know for a value or drops it; a person who mistypes a flag wants to be told.
 */
import type { ArgsDef } from "./command.ts";

export interface Words {
  /** In order, by their full names; a flag without a value has none. */
  readonly flags: readonly { readonly name: string; readonly value?: string }[];
  readonly others: readonly string[];
}

/** A word that cannot be understood, and why. */
export interface WordProblem {
  readonly problem: string;
}

interface SortOptions {
  readonly takesProgram?: boolean | undefined;
}

export function sortWords(words: readonly string[], args: ArgsDef, options: SortOptions = {}): Words | WordProblem {
  const flags: { name: string; value?: string }[] = [];
  const others: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") return { flags, others: [...others, ...words.slice(index + 1)] };
    if (!word.startsWith("-") || word === "-") {
      if (options.takesProgram) return { flags, others: words.slice(index) };
      others.push(word);
      continue;
    }
    const [, dashes = "", given = "", inline] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = findFlag(args, dashes, given);
    if (!flag) return { problem: `has no flag ${dashes}${given}` };
    if (flag.type === "boolean") {
      if (inline !== undefined) return { problem: `takes no value for ${dashes}${given}` };
      flags.push({ name: flag.name });
      continue;
    }
    const value = inline ?? words[index + 1];
    if (value === undefined) return { problem: `needs a value after ${dashes}${given}` };
    if (inline === undefined) index += 1;
    flags.push({ name: flag.name, value });
  }
  return { flags, others };
}

/** The first word that a command has no place for; undefined where it takes all of them. */
export function surplusWord({ others }: Words, args: ArgsDef): string | undefined {
  return others[Object.values(args).filter(({ type }) => type === "positional").length];
}

/** The same words in the one form that the library cannot misread. */
export function plainWords({ flags, others }: Words): string[] {
  const plain = flags.map(({ name, value }) => (value === undefined ? `--${name}` : `--${name}=${value}`));
  return [...plain, "--", ...others];
}

interface Flag {
  readonly name: string;
  readonly type: "boolean" | "string";
}

function findFlag(args: ArgsDef, dashes: string, given: string): Flag | undefined {
  for (const [name, { type, ...arg }] of Object.entries(args)) {
    if (type === "positional") continue;
    const alias = "alias" in arg ? arg.alias : undefined;
    const names = [name, ...(Array.isArray(alias) ? alias : alias === undefined ? [] : [alias])];
    const isMeant = names.some((known) => known === given && (known.length === 1) === (dashes === "-"));
    if (isMeant) return { name, type: type === "boolean" ? "boolean" : "string" };
    if (type === "boolean" && dashes === "--" && given === `no-${name}`) return { name: given, type };
  }
  return undefined;
}
