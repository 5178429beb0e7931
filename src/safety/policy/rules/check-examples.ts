/**
 * Checks the examples of rules: a rule that does not apply to the commands that its author meant is a mistake. Pure.
 */
import { LimpetError } from "../../../base/limpet-error.ts";
import type { Rule } from "../policy.ts";
import { parseShell } from "../syntax/parse-shell.ts";
import { matchRule } from "./match-rule.ts";

/** How many examples were checked. */
export function checkExamples(rules: readonly Rule[]): number {
  return rules.map(checkRule).reduce((sum, count) => sum + count, 0);
}

function checkRule(rule: Rule): number {
  const missed = rule.match.find((example) => !isAbout(rule, example));
  if (missed !== undefined) throw wrong(rule, `does not apply to its example ${JSON.stringify(missed)}`);
  const caught = rule.notMatch.find((example) => isAbout(rule, example));
  if (caught !== undefined) throw wrong(rule, `applies to its counterexample ${JSON.stringify(caught)}`);
  return rule.match.length + rule.notMatch.length;
}

function isAbout(rule: Rule, example: string): boolean {
  return parseShell(example).commands.some(({ words }) => matchRule(rule, words) === "yes");
}

function wrong({ line, prefix }: Rule, what: string): LimpetError {
  const remedy = "Change the prefix or the example.";
  return new LimpetError("BAD_POLICY", `Line ${line}: the rule for ${JSON.stringify(prefix)} ${what}. ${remedy}`);
}
