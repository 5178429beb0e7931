/** A rule as a policy file has it. */
import type { PrefixWord } from "../policy.ts";
import type { Decision } from "../verdict.ts";

export interface RuleText {
  readonly prefix: readonly PrefixWord[];
  readonly decision: Decision;
  /** Only commands without further words. */
  readonly exact?: true;
  readonly why?: string;
  readonly accept?: readonly string[];
  readonly match?: readonly string[];
  readonly notMatch?: readonly string[];
}

/** Imported rules, and what could not be imported. */
export interface ImportedRules {
  readonly rules: readonly RuleText[];
  readonly notes: readonly string[];
}
