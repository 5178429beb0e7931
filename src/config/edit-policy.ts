/** Writes policy files: a new one, or rules at the end of an existing one, whose comments and order stay. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import { parsePolicy } from "../safety/policy/rules/parse-policy.ts";
import type { RuleText } from "../safety/policy/sources/rule-text.ts";
import { appendJson } from "./jsonc/edit-jsonc.ts";
import { readJsonTree } from "./jsonc/read-jsonc.ts";
import { type LinkRule, readPlainFile } from "./read-plain-file.ts";

/** Replaces the file as a whole, so that nobody ever reads half of it. Refuses a text that is not a policy. */
export function writePolicy(file: string, text: string): void {
  try {
    parsePolicy(readJsonTree(text), { file, scope: "user" });
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    throw new LimpetError("BAD_POLICY", `This change would break ${file}: ${cause.message}`, { cause });
  }
  const draft = `${file}.${process.pid}.new`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/** Adds rules to the user's file, which is created if it does not exist. */
export function addPolicyRules(file: string, rules: readonly RuleText[]): void {
  writePolicy(file, appendJson(textOf(file) ?? "{}\n", "rules", rules));
}

/** Undefined if the file does not exist. */
export function textOf(file: string, links: LinkRule = "follow"): string | undefined {
  try {
    return readPlainFile(file, links);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LimpetError("BAD_POLICY", `${file} cannot be read (${why}). Fix it or remove it.`, { cause });
  }
}
