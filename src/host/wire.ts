/**
 * Values as they cross the wire: what JSON has no word for is an object with one field that begins with a dollar. An
 * object of somebody else's with such a field is wrapped, so that nothing is taken for what it is not.
 */
import { LimpetError } from "../base/limpet-error.ts";

interface Encoded {
  readonly value: unknown;
  /** It stays here: the other side gets one of its own, and is told when this one is aborted. */
  readonly signal: AbortSignal | undefined;
}

/** Refuses what cannot leave this process. */
export function toWire(value: unknown): Encoded {
  let signal: AbortSignal | undefined;
  const encode = (part: unknown): unknown => {
    if (typeof part === "function") throw unsendable();
    if (typeof part === "number" && !Number.isFinite(part)) return { $number: String(part) };
    if (typeof part !== "object" || part === null) return part;
    // In a list, JSON makes null of what is not there; a field that is not there it leaves out.
    if (Array.isArray(part)) return part.map((item) => (item === undefined ? { $undefined: true } : encode(item)));
    if (part instanceof Uint8Array) return { $bytes: Buffer.from(part).toString("base64") };
    if (part instanceof RegExp) return { $regexp: [part.source, part.flags] };
    if (part instanceof AbortSignal) {
      signal = part;
      return { $signal: true };
    }
    const entries = Object.entries(part).map(([name, inner]) => [name, encode(inner)] as const);
    const object = Object.fromEntries(entries);
    return entries.some(([name]) => name.startsWith("$")) ? { $object: object } : object;
  };
  return { value: encode(value), signal };
}

/** `signal` is put where the sender had one. */
export function fromWire(value: unknown, signal?: AbortSignal): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => fromWire(part, signal));
  const tagged = value as {
    readonly $number?: string;
    readonly $bytes?: string;
    readonly $regexp?: readonly [string, string];
    readonly $object?: object;
  };
  if ("$number" in value) return Number(tagged.$number);
  if ("$bytes" in value) return new Uint8Array(Buffer.from(String(tagged.$bytes), "base64"));
  if ("$regexp" in value) return new RegExp(String(tagged.$regexp?.[0]), String(tagged.$regexp?.[1]));
  if ("$signal" in value) return signal;
  if ("$undefined" in value) return undefined;
  return fieldsFromWire(tagged.$object ?? value, signal);
}

/** Not by assignment, which would take `__proto__` for more than a name. */
function fieldsFromWire(value: object, signal: AbortSignal | undefined): object {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fromWire(inner, signal)]));
}

function unsendable(): LimpetError {
  return new LimpetError(
    "BAD_OPTION",
    "A function cannot be passed to sessions that live in a host. Leave it out, or keep the sessions in this process.",
  );
}
