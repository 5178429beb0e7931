/**
 * Converts values to JSON and back. A value that JSON does not support becomes an object with one field that begins with a dollar
 * sign. Any other object with such a field is wrapped, so that it is not mistaken for one.
 */
import { LimpetError } from "../base/limpet-error.ts";

/** Requests and answers are flat. Deeper ones are a mistake and could overflow the stack. */
const MAX_DEPTH = 32;

/** Throws `BAD_OPTION` for a function. */
export function toWire(value: unknown): unknown {
  if (typeof value === "function") throw unsendable();
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (typeof value !== "object" || value === null) return value;
  // JSON turns undefined into null in an array, and omits an undefined field.
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? { $undefined: true } : toWire(item)));
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (value instanceof RegExp) return { $regexp: [value.source, value.flags] };
  const entries = Object.entries(value).map(([name, inner]) => [name, toWire(inner)] as const);
  const object = Object.fromEntries(entries);
  return entries.some(([name]) => name.startsWith("$")) ? { $object: object } : object;
}

/** Throws `BAD_OPTION` for a value that `toWire` cannot have made. */
export function fromWire(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) throw badValue(`is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) return value.map((part) => fromWire(part, depth + 1));
  const tagged = value as {
    readonly $number?: string;
    readonly $bytes?: string;
    readonly $regexp?: readonly [string, string];
    readonly $object?: object;
  };
  if ("$number" in value) return Number(tagged.$number);
  if ("$bytes" in value) return new Uint8Array(Buffer.from(String(tagged.$bytes), "base64"));
  if ("$regexp" in value) return regExpOf(tagged.$regexp);
  if ("$undefined" in value) return undefined;
  return fieldsFromWire(tagged.$object ?? value, depth);
}

/** Not by assignment, which would treat `__proto__` as special. */
function fieldsFromWire(value: object, depth: number): object {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fromWire(inner, depth + 1)]));
}

function regExpOf(parts: readonly [string, string] | undefined): RegExp {
  try {
    return new RegExp(String(parts?.[0]), String(parts?.[1]));
  } catch (cause) {
    throw badValue(`has a regular expression that does not compile (${(cause as Error).message})`);
  }
}

function badValue(what: string): LimpetError {
  return new LimpetError("BAD_OPTION", `The request ${what}. Send it as the protocol says.`);
}

function unsendable(): LimpetError {
  return new LimpetError(
    "BAD_OPTION",
    "A function cannot be sent to a host. Omit it, or use sessions in this process.",
  );
}
