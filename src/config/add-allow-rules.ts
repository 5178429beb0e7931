/** Adds rules to a policy file. Everything else in it stays, also its comments. */
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { LimpetError } from "../base/limpet-error.ts";
import { appendJson } from "./jsonc.ts";

/** Replaces the file as a whole: nobody reads half of it. */
export function addAllowRules(file: string, prefixes: readonly (readonly string[])[]): void {
  try {
    // A symbolic link stays one.
    const target = realpathSync(file);
    const rules = prefixes.map((prefix) => ({ prefix, decision: "allow" }));
    const text = rules.reduce((now, rule) => appendJson(now, "rules", rule), readFileSync(target, "utf8"));
    const draft = `${target}.${process.pid}.new`;
    try {
      writeFileSync(draft, text, { mode: statSync(target).mode & 0o777, flag: "wx" });
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  } catch (cause) {
    if (cause instanceof LimpetError) throw cause;
    throw new LimpetError("BAD_POLICY", `No rule could be added to ${file} (${(cause as Error).message}). Add it by hand.`, {
      cause,
    });
  }
}
