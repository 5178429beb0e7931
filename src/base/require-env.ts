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
  return new LimpetError(
    "BAD_OPTION",
    `${name} must be ${wanted} (got ${typeName(value)}). Pass one, or omit the option.`,
  );
}

/** The type of a value in messages: `number`, `null`, `an array`, `RegExp`. Other objects: `object`. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return typeof value;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag === "Object" ? "object" : tag;
}
