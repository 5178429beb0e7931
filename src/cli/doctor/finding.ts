/** What a check has found, and what that means for whoever wants to use limpet here. */
export interface Finding {
  readonly check: string;
  /** `warn`: limpet works, with less. `fail`: it does not. */
  readonly verdict: "ok" | "warn" | "fail";
  /** The fact. */
  readonly what: string;
  /** What it means, and where something is to be done, what. */
  readonly meaning: string;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
