/** Imports prefix rules from a rules file of Codex. Pure. */
import { LimpetError } from "../../../base/limpet-error.ts";
import type { Decision } from "../verdict.ts";
import type { ImportedRules, RuleText } from "./rule-text.ts";
import { readCalls, type StarlarkCall, type StarlarkValue } from "./starlark.ts";

const DECISIONS: Readonly<Record<string, Decision>> = { allow: "allow", prompt: "ask", forbidden: "deny" };

export function importCodex(text: string): ImportedRules {
  const calls = readCalls(text);
  const ours = calls.filter(({ name }) => name === "prefix_rule");
  const others = calls.filter(({ name }) => name !== "prefix_rule");
  return {
    rules: ours.map(ruleOf),
    notes: others.map(({ name, line }) => `Line ${line}: ${name} was skipped: limpet has no such rule.`),
  };
}

function ruleOf({ args, line }: StarlarkCall): RuleText {
  const decision = DECISIONS[String(args["decision"] ?? "allow")];
  const prefix = listOf(args["pattern"]).map((word) => (typeof word === "string" ? word : listOf(word).map(String)));
  if (!decision || prefix.length === 0)
    throw new LimpetError("BAD_POLICY", `Line ${line} has a rule without a pattern or a known decision. Fix it first.`);
  const why = args["justification"];
  const [match, notMatch] = [args["match"], args["not_match"]].map((list) => listOf(list).map(exampleOf));
  return {
    prefix,
    decision,
    ...(typeof why === "string" ? { why } : {}),
    ...(match?.length ? { match } : {}),
    ...(notMatch?.length ? { notMatch } : {}),
  };
}

function listOf(value: StarlarkValue | undefined): readonly StarlarkValue[] {
  return Array.isArray(value) ? value : [];
}

/** An example is a text, or a list of words. */
function exampleOf(example: StarlarkValue): string {
  return typeof example === "string"
    ? example
    : listOf(example)
        .map((word) => quote(String(word)))
        .join(" ");
}

function quote(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
