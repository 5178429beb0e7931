/** What the policy says about a turn, and who approved it. */
export interface TurnVerdict {
  /** `ask`: a person or an earlier approval has allowed it. A turn that is denied never gets this far. */
  readonly decision: "allow" | "ask";
  /** The rule that decided, such as its file and line; null if none applied. */
  readonly rule: string | null;
  /** Null if nobody had to be asked. */
  readonly approvedBy: string | null;
  /** The number of the approval that this turn uses up; null without one. */
  readonly approval: number | null;
}
