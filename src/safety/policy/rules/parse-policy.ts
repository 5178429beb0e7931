/** Reads a policy from the JSON of its file. Pure. Rejects unknown fields, so that no misspelt rule is ignored. */
import type { JsonField, JsonNode } from "../../../base/format/json-node.ts";
import { LimpetError } from "../../../base/limpet-error.ts";
import { CAUTIONS, type CautionName, isCautionName } from "../caution/caution.ts";
import type { PolicyLayer, PrefixWord, Rule } from "../policy.ts";
import { DECISIONS, type Decision } from "../verdict.ts";
import { checkExamples } from "./check-examples.ts";

interface PolicySource {
  readonly file: string;
  readonly scope: PolicyLayer["scope"];
}

export function parsePolicy(root: JsonNode, { file, scope }: PolicySource): PolicyLayer {
  const unset: Decision = scope === "user" ? "ask" : "allow";
  let layer: PolicyLayer = { file, scope, default: unset, input: { "*": unset }, env: [], cautions: {}, rules: [] };
  for (const field of fieldsOf(root, "the policy")) layer = { ...layer, ...settingOf(field, unset) };
  checkExamples(layer.rules);
  return layer;
}

function settingOf({ key, line, node }: JsonField, unset: Decision): Partial<PolicyLayer> {
  switch (key) {
    case "$schema":
      return {};
    case "default":
      return { default: decisionOf(node) };
    case "input":
      return { input: inputOf(node, unset) };
    case "env":
      return { env: textsOf(node, "env") };
    case "cautions":
      return { cautions: cautionsOf(node) };
    case "rules":
      return { rules: itemsOf(node, "rules").map(ruleOf) };
    default:
      throw bad(line, `has an unknown setting ${JSON.stringify(key)}`, "Use default, input, env, cautions and rules.");
  }
}

function ruleOf(node: JsonNode): Rule {
  const fields = new Map(fieldsOf(node, "a rule").map((field) => [field.key, field]));
  const known = ["prefix", "decision", "exact", "why", "accept", "match", "notMatch"];
  for (const { key, line } of fields.values()) {
    if (known.includes(key)) continue;
    throw bad(line, `has an unknown field ${JSON.stringify(key)} in a rule`, `Use ${known.join(", ")}.`);
  }
  const [prefix, decision, exact, why] = ["prefix", "decision", "exact", "why"].map((key) => fields.get(key)?.node);
  if (!prefix || !decision)
    throw bad(node.line, "begins a rule without a prefix or a decision", "Give it both of them.");
  const texts = (key: string): readonly string[] => {
    const field = fields.get(key);
    return field ? textsOf(field.node, key) : [];
  };
  const accept = texts("accept").map((name) => cautionOf(name, fields.get("accept")?.line ?? node.line));
  return {
    prefix: prefixOf(prefix),
    decision: decisionOf(decision),
    isExact: exact !== undefined && flagOf(exact),
    ...(why ? { why: textOf(why, "why") } : {}),
    accept,
    match: texts("match"),
    notMatch: texts("notMatch"),
    line: node.line,
  };
}

function prefixOf(node: JsonNode): readonly PrefixWord[] {
  const words = itemsOf(node, "prefix").map((item) => {
    if (item.kind !== "array") return textOf(item, "prefix");
    const alternatives = textsOf(item, "a position of prefix");
    if (alternatives.length === 0) throw bad(item.line, "has no alternative", "Give one word or more.");
    return alternatives;
  });
  if (words.length === 0) throw bad(node.line, "has an empty prefix", 'Use words such as ["git", "status"].');
  return words;
}

function inputOf(node: JsonNode, unset: Decision): Readonly<Record<string, Decision>> {
  if (node.kind !== "object") return { "*": decisionOf(node) };
  return { "*": unset, ...Object.fromEntries(node.members.map(({ key, node }) => [key, decisionOf(node)])) };
}

function cautionsOf(node: JsonNode): PolicyLayer["cautions"] {
  const named = fieldsOf(node, "cautions").map(({ key, line, node }) => [cautionOf(key, line), decisionOf(node)]);
  return Object.fromEntries(named) as PolicyLayer["cautions"];
}

function cautionOf(name: string, line: number): CautionName {
  if (isCautionName(name)) return name;
  const known = Object.keys(CAUTIONS).join(", ");
  throw bad(line, `names an unknown caution ${JSON.stringify(name)}`, `Use one of: ${known}.`);
}

function decisionOf(node: JsonNode): Decision {
  const found = node.kind === "value" ? DECISIONS.find((each) => each === node.value) : undefined;
  if (found) return found;
  throw bad(node.line, "needs a decision", `Use one of: ${DECISIONS.join(", ")}.`);
}

function fieldsOf(node: JsonNode, what: string): readonly JsonField[] {
  if (node.kind === "object") return node.members;
  throw bad(node.line, `needs an object for ${what}`, "Put it in { and }.");
}

function itemsOf(node: JsonNode, what: string): readonly JsonNode[] {
  if (node.kind === "array") return node.items;
  throw bad(node.line, `needs a list for ${what}`, "Put it in [ and ].");
}

function textsOf(node: JsonNode, what: string): readonly string[] {
  return itemsOf(node, what).map((item) => textOf(item, what));
}

function textOf(node: JsonNode, what: string): string {
  if (node.kind === "value" && typeof node.value === "string") return node.value;
  throw bad(node.line, `needs a string in ${what}`, 'Put it in " and ".');
}

function flagOf(node: JsonNode): boolean {
  if (node.kind === "value" && typeof node.value === "boolean") return node.value;
  throw bad(node.line, "needs true or false for exact", "Use true, or leave it out.");
}

function bad(line: number, what: string, remedy: string): LimpetError {
  return new LimpetError("BAD_POLICY", `Line ${line} ${what}. ${remedy}`);
}
