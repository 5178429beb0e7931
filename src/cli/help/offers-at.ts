/** What can stand at the end of a command line: the decision behind the completion of every shell. Pure. */
import { type ArgSpec, type ArgSpecs, type Command, isFlag, isOffered } from "../args/command.ts";

/** A word, or a kind of words that the shell or the host knows. */
export type Offer =
  | { readonly kind: "word"; readonly word: string; readonly description: string }
  | { readonly kind: "sessions" | "places" | "files" | "directories" | "programs" };

/** `before`: the words between the command's name and the one that is completed. */
export function offersAt({ args = {} }: Pick<Command, "args">, before: readonly string[], current: string): Offer[] {
  const { positionals, pending, isProgram } = readWords(before, args);
  if (pending) return valueOffers(pending);
  if (isProgram) return [{ kind: "files" }];
  if (current.startsWith("-")) return flagOffers(args, before);
  return positionalOffers(args, positionals);
}

interface ReadWords {
  /** How many positional words are there. */
  readonly positionals: number;
  /** The flag whose value comes next. */
  readonly pending: ArgSpec | undefined;
  /** The words from here on belong to the program, with its own flags. */
  readonly isProgram: boolean;
}

function readWords(words: readonly string[], specs: ArgSpecs): ReadWords {
  const takesProgram = Object.values(specs).some(({ type }) => type === "program");
  let positionals = 0;
  let pending: ArgSpec | undefined;
  for (const word of words) {
    if (pending) {
      pending = undefined;
      continue;
    }
    if (word.startsWith("-") && word !== "-") {
      if (takesProgram && word === "--") return { positionals, pending, isProgram: true };
      const spec = word.includes("=") ? undefined : flagOf(word, specs);
      pending = spec?.type === "string" ? spec : undefined;
    } else if (takesProgram) return { positionals, pending: undefined, isProgram: true };
    else positionals += 1;
  }
  return { positionals, pending, isProgram: false };
}

function flagOf(word: string, specs: ArgSpecs): ArgSpec | undefined {
  const isShort = !word.startsWith("--");
  const found = Object.entries(specs).find(
    ([name, spec]) => isFlag(spec) && (isShort ? `-${spec.short}` === word : `--${name}` === word),
  );
  return found?.[1];
}

/** Chosen by the name of the value in the help. */
function valueOffers(spec: ArgSpec): Offer[] {
  const hint = "hint" in spec ? (spec.hint ?? "") : "";
  if (/^[\w-]+(\|[\w-]+)+$/.test(hint)) return hint.split("|").map((word) => ({ kind: "word", word, description: "" }));
  if (hint === "FILE" || hint === "F") return [{ kind: "files" }];
  if (hint === "DIR") return [{ kind: "directories" }];
  if (hint === "PLACE") return [{ kind: "places" }];
  return hint === "ID" ? [{ kind: "sessions" }] : [];
}

/** Those that were not given yet. */
function flagOffers(specs: ArgSpecs, before: readonly string[]): Offer[] {
  const flags = Object.entries(specs).filter(([name, spec]) => {
    const isRepeatable = spec.type === "string" && spec.isList === true;
    return isOffered(spec) && (isRepeatable || !before.includes(`--${name}`));
  });
  const words = flags.map(([name, { description }]) => ({ word: `--${name}`, description }));
  return [...words, { word: "--help", description: "Show the help" }].map((each) => ({ kind: "word", ...each }));
}

function positionalOffers(specs: ArgSpecs, index: number): Offer[] {
  const all = Object.entries(specs).filter(([, spec]) => !isFlag(spec));
  const last = all.at(-1);
  const isRepeated = last?.[1].type === "positional" && last[1].isList === true;
  const [name, spec] = all[index] ?? (isRepeated ? last : undefined) ?? [];
  if (name === undefined || spec === undefined) return [];
  if (spec.type === "program") return [{ kind: "programs" }];
  if (spec.type === "positional" && spec.choices)
    return spec.choices.map((word) => ({ kind: "word", word, description: "" }));
  if (/^ids?$/.test(name)) return [{ kind: "sessions" }];
  if (name === "place") return [{ kind: "places" }];
  return name === "file" ? [{ kind: "files" }] : [];
}
