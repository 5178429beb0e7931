/** Imports rules from the settings of Claude Code. Pure. */
import { parseShell } from "../syntax/parse-shell.ts";
import type { Decision } from "../verdict.ts";
import type { ImportedRules, RuleText } from "./rule-text.ts";

const LISTS: readonly Decision[] = ["allow", "ask", "deny"];

/** `settings` is the content of a settings file. */
export function importClaude(settings: unknown): ImportedRules {
  const permissions = fieldOf(settings, "permissions");
  const rules: RuleText[] = [];
  const notes: string[] = [];
  for (const decision of LISTS) {
    const entries = fieldOf(permissions, decision);
    for (const entry of Array.isArray(entries) ? entries : []) {
      const rule = typeof entry === "string" ? ruleOf(entry, decision) : "it is not a string";
      if (typeof rule === "string") notes.push(`${decision} ${JSON.stringify(entry)} was skipped: ${rule}.`);
      else rules.push(rule);
    }
  }
  return { rules, notes };
}

/** The rule, or why there is none. */
function ruleOf(entry: string, decision: Decision): RuleText | string {
  const [, pattern] = /^Bash\((.*)\)$/s.exec(entry) ?? [];
  if (entry === "Bash" || pattern === "*" || pattern === ":*") return 'set "default" instead';
  if (pattern === undefined) return "it is about another tool";
  const [, open] = /^(.*?)(?::\*| \*)$/s.exec(pattern) ?? [];
  const command = open ?? pattern;
  if (command.includes("*")) return "* is only understood at the end";
  const { commands, notes } = parseShell(command);
  const words = commands.flatMap((each) => each.words.map(({ literal }) => literal));
  const isPlain = commands.length === 1 && notes.length === 0 && words.length > 0;
  if (!isPlain || commands.some(({ assignments, redirections }) => assignments.length + redirections.length > 0))
    return "it is not one plain command";
  const prefix = words.filter((word) => word !== undefined);
  if (prefix.length < words.length) return "not all of its words are literal";
  return { prefix, decision, ...(open === undefined ? { exact: true } : {}) };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
