/** Checks arguments of the library: callers without a compiler may pass any type. */
import { LimpetError } from "../base/limpet-error.ts";
import { typeName, wrongType } from "../base/require-env.ts";
import { requireInteger } from "../base/require-integer.ts";
import { quoteLine } from "../text/clean/quote-line.ts";
import { nearestWords } from "../text/search/nearest-words.ts";
import type { TimeOptions } from "./session.ts";

/**
 * Refuses what cannot have options, such as a string, a list or a pattern, and options that `call` does not have. They
 * would be ignored silently. `remedy` says what to pass.
 */
export function requireOptions(
  call: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
  remedy: string,
): void {
  if (typeName(options) !== "object")
    throw new LimpetError(
      "BAD_OPTION",
      `The options of ${call} must be an object (got ${typeName(options)}). ${remedy}`,
    );
  for (const [name, value] of Object.entries(options as object)) {
    if (value !== undefined && !Object.hasOwn(names, name)) throw unknownOption(call, name, Object.keys(names));
  }
  const { signal, timeoutMs } = options as TimeOptions;
  if (signal !== undefined && !isSignal(signal)) throw wrongType("signal", signal, "an AbortSignal");
  if (timeoutMs !== undefined) requireInteger("timeoutMs", timeoutMs, { min: 0, max: Number.MAX_SAFE_INTEGER });
}

function unknownOption(call: string, name: string, known: readonly string[]): LimpetError {
  const longer = known.filter((candidate) => candidate.startsWith(name));
  const meant = [...new Set([...nearestWords(name, known), ...longer])];
  const remedy = meant.length > 0 ? `Did you mean ${meant.join(" or ")}?` : `It takes: ${known.join(", ")}.`;
  return new LimpetError("BAD_OPTION", `${call} has no option ${quoteLine(name, { maxChars: 60 })}. ${remedy}`);
}

/** Refuses what is not a string before anything is started or typed. */
export function requireText(name: string, text: unknown, remedy = "Pass a string."): asserts text is string {
  if (typeof text === "string") return;
  throw new LimpetError("BAD_OPTION", `${name} must be a string (got ${typeName(text)}). ${remedy}`);
}

/** Refuses what is not one of these words. */
export function requireWord(name: string, word: unknown, words: readonly string[]): void {
  if (words.includes(word as string)) return;
  const got = typeof word === "string" ? JSON.stringify(word) : typeName(word);
  throw new LimpetError("BAD_OPTION", `${name} is ${got}. Use one of: ${words.join(", ")}.`);
}

/** Refuses what is neither a string nor bytes. */
export function requireInput(input: unknown): asserts input is string | Uint8Array {
  if (typeof input === "string" || input instanceof Uint8Array) return;
  throw new LimpetError(
    "BAD_OPTION",
    `input must be a string or bytes (got ${typeName(input)}). Pass a string or a Uint8Array.`,
  );
}

/** By its members: a signal of another realm is not an instance of this one's class. */
function isSignal(value: unknown): value is AbortSignal {
  return typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value;
}
