/**
 * Values as they cross the wire: what JSON has no word for is an object with one field that begins with a dollar. An
 * object of somebody else's with such a field is wrapped, so that nothing is taken for what it is not.
 */
import { LimpetError } from "../base/limpet-error.ts";

/** Requests and answers are flat; deeper ones are a mistake, and would overflow the stack. */
const MAX_DEPTH = 32;

/** Refuses what cannot leave this process. */
export function toWire(value: unknown): unknown {
  if (typeof value === "function") throw unsendable();
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (typeof value !== "object" || value === null) return value;
  // In a list, JSON makes null of what is not there; a field that is not there it leaves out.
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? { $undefined: true } : toWire(item)));
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (value instanceof RegExp) return { $regexp: [value.source, value.flags] };
  const entries = Object.entries(value).map(([name, inner]) => [name, toWire(inner)] as const);
  const object = Object.fromEntries(entries);
  return entries.some(([name]) => name.startsWith("$")) ? { $object: object } : object;
}

/** Throws `BAD_OPTION` for what no `toWire` has made. */
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

/** Not by assignment, which would take `__proto__` for more than a name. */
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
    "A function cannot be passed to sessions that live in a host. Leave it out, or keep the sessions in this process.",
  );
}
