/** What a policy says about an act. */

/** From wide to narrow. */
export const DECISIONS = ["allow", "ask", "deny"] as const;

export type Decision = (typeof DECISIONS)[number];

export interface VerdictReason {
  readonly decision: Decision;
  /** `FILE:LINE` of a rule, `caution NAME` for a built-in one, or `default of FILE`. */
  readonly rule: string;
  /** The part of the command that it is about. */
  readonly part: string;
  /** One sentence for a person. */
  readonly why: string;
}

export interface Verdict {
  readonly decision: Decision;
  /** Everything that applied, the decisive ones first. Empty without a policy. */
  readonly reasons: readonly VerdictReason[];
}

/** The narrowest of some decisions; `allow` for none. */
export function strictest(decisions: readonly Decision[]): Decision {
  return DECISIONS[Math.max(0, ...decisions.map((decision) => DECISIONS.indexOf(decision)))] ?? "ask";
}

/** Sorts the reasons, leaves out repetitions, and sums them up. */
export function verdictOf(reasons: readonly VerdictReason[]): Verdict {
  const rank = ({ decision }: VerdictReason) => DECISIONS.indexOf(decision);
  const distinct = new Map(reasons.map((reason) => [JSON.stringify(reason), reason]));
  const sorted = [...distinct.values()].sort((one, other) => rank(other) - rank(one));
  return { decision: strictest(sorted.map(({ decision }) => decision)), reasons: sorted };
}
