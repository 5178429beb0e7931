/** Whether a rule applies to a command. Pure. */
import { posix } from "node:path";
import type { PrefixWord, Rule } from "../policy.ts";
import type { ShellWord } from "../syntax/simple-command.ts";

/** `maybe`: it depends on values that are known only when the command runs, or on options before a subcommand. */
export type RuleMatch = "yes" | "maybe" | "no";

type Prefix = Pick<Rule, "prefix" | "decision" | "isExact">;

export function matchRule(rule: Prefix, words: readonly ShellWord[]): RuleMatch {
  const match = matchPrefix(rule, words);
  const further = words.slice(rule.prefix.length);
  if (!rule.isExact || match !== "yes" || further.length === 0) return match;
  // A word that can expand to nothing may disappear.
  return further.every(({ literal, canSplit }) => literal === undefined && canSplit) ? "maybe" : "no";
}

function matchPrefix({ prefix, decision }: Prefix, words: readonly ShellWord[]): RuleMatch {
  const [first, ...rest] = prefix;
  const [program, ...args] = words;
  if (!first || !program) return "no";
  const head = decision === "allow" ? matchWord(first, program) : matchProgram(first, program);
  if (head === "no") return "no";
  const tail = matchInOrder(rest, args);
  if (tail !== "no") return head === "maybe" || tail === "maybe" ? "maybe" : "yes";
  return decision !== "allow" && matchesBehindOptions(rest, args) ? "maybe" : "no";
}

/** Whether a word names the program of a rule, also by its path. */
function matchProgram(wanted: PrefixWord, word: ShellWord): RuleMatch {
  const match = matchWord(wanted, word);
  if (match !== "no" || word.literal === undefined || !word.literal.includes("/")) return match;
  const path = posix.normalize(word.literal);
  return alternatives(wanted).some((each) => each === path || each === posix.basename(path)) ? "yes" : "no";
}

function matchInOrder(prefix: readonly PrefixWord[], words: readonly ShellWord[]): RuleMatch {
  for (const [at, wanted] of prefix.entries()) {
    const word = words[at];
    const match = word ? matchWord(wanted, word) : "no";
    // An unknown word can stand for several, so what follows it cannot be compared.
    if (match !== "yes") return match;
  }
  return "yes";
}

function matchWord(wanted: PrefixWord, { literal, start }: ShellWord): RuleMatch {
  const words = alternatives(wanted);
  if (literal !== undefined) return words.includes(literal) ? "yes" : "no";
  return words.some((each) => each.startsWith(start)) ? "maybe" : "no";
}

/** `git -C dir push` for `git push`: each option may have a value. */
function matchesBehindOptions(prefix: readonly PrefixWord[], words: readonly ShellWord[]): boolean {
  if (prefix.length === 0) return false;
  for (let at = 0; at < words.length; at += 1) {
    const [before, word] = [words[at - 1], words[at]];
    if (at > 0 && matchInOrder(prefix, words.slice(at)) !== "no") return true;
    const isValue = before !== undefined && canBeOption(before);
    if (word && !canBeOption(word) && !isValue) return false;
  }
  return false;
}

/** Whether it can expand to a word that begins with a dash. */
export function canBeOption({ start, literal }: ShellWord): boolean {
  return start.startsWith("-") || (start === "" && literal === undefined);
}

export function alternatives(wanted: PrefixWord): readonly string[] {
  return typeof wanted === "string" ? [wanted] : wanted;
}
