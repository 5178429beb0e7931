import { LimpetError } from "./limpet-error.ts";

/**
 * Refuses anything but an object of strings, before it is merged with other variables: merging would hide the mistake.
 */
export function requireEnv(env: unknown): asserts env is Readonly<Record<string, string>> | undefined {
  if (env === undefined) return;
  if (typeof env !== "object" || env === null || Array.isArray(env))
    throw wrongType("env", env, "an object of strings");
  const wrong = Object.entries(env).find(([, value]) => typeof value !== "string");
  if (wrong) throw wrongType(`env.${wrong[0]}`, wrong[1], "a string");
}

/** A value of the wrong type, which callers without a compiler may pass. */
export function wrongType(name: string, value: unknown, wanted: string): LimpetError {
  const got = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
  return new LimpetError("BAD_OPTION", `${name} must be ${wanted} (got ${got}). Pass one, or omit the option.`);
}
