import table from "./needs.json" with { type: "json" };

type Need = keyof typeof table;

const { CI, LIMPET_MISSING = "" } = process.env;
const missing: ReadonlySet<string> = new Set(LIMPET_MISSING.split(","));

/**
 * Whether a program that tests need from the system is there, as `test.skipIf(!needs("zsh"))`.
 * Where CI is true nothing may be skipped: a missing program throws.
 */
export function needs(program: Need): boolean {
  if (!missing.has(program)) return true;
  if (CI !== "true") return false;
  throw new Error(`${program} is missing and CI is true. Install ${table[program].packages.join(" ")}.`);
}
