import { type LimitName, limitWords } from "./session-limits.ts";

/**
 * How a program ended: with a code (0 to 255), or by a signal (its name, such as "SIGKILL"), never both. `outOfMemory`:
 * the kernel killed a process for lack of memory meanwhile, and this exit matches that. `limit`: the limit of the
 * session that ended it. `lost`: somebody else in this process collected the exit before us.
 */
export type Exit =
  | { readonly kind: "code"; readonly code: number; readonly outOfMemory?: true; readonly limit?: LimitName }
  | { readonly kind: "signal"; readonly signal: string; readonly outOfMemory?: true; readonly limit?: LimitName }
  | { readonly kind: "lost" };

/** An exit in words, for example "exited with code 3". */
export function describeExit(exit: Exit): string {
  if (exit.kind === "lost") return "has ended";
  const how = exit.kind === "code" ? `exited with code ${exit.code}` : `was killed by ${exit.signal}`;
  if (exit.limit !== undefined) return `${how} (limit of ${limitWords(exit.limit)})`;
  return exit.outOfMemory ? `${how} (out of memory)` : how;
}

/** The limit of the session that ended it; undefined if none did. */
export function limitOf(exit: Exit): LimitName | undefined {
  return exit.kind === "lost" ? undefined : exit.limit;
}

export function isOutOfMemory(exit: Exit): boolean {
  return exit.kind !== "lost" && exit.outOfMemory === true;
}
