/**
 * How a program ended: with a code (0 to 255), or by a signal (its name, such as "SIGKILL"), never both.
 * `lost`: somebody else in this process collected the exit before us.
 */
export type Exit =
  | { readonly kind: "code"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "lost" };

/** An exit in words, for example "exited with code 3". */
export function describeExit(exit: Exit): string {
  if (exit.kind === "code") return `exited with code ${exit.code}`;
  return exit.kind === "signal" ? `was killed by ${exit.signal}` : "has ended";
}
