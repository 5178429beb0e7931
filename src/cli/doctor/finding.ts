/** The result of one check, and what it means for the user. */
export interface Finding {
  readonly check: string;
  /** `warn`: limpet works with limits. `fail`: it does not work. */
  readonly verdict: "ok" | "warn" | "fail";
  /** The fact. */
  readonly what: string;
  /** The consequence, and how to fix it if something is wrong. */
  readonly meaning: string;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
