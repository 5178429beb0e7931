/**
 * Converts values to JSON and back. A value that JSON does not support becomes an object with one field that begins
 * with a dollar sign. Any other object with such a field is wrapped, so that it is not mistaken for one.
 */
import { LimpetError } from "../base/limpet-error.ts";

/** Requests and answers are flat. Deeper ones are a mistake and could overflow the stack. */
const MAX_DEPTH = 32;

/** Throws `BAD_OPTION` for a function. Returns a value that JSON supports as it is, as most are. */
export function toWire(value: unknown): unknown {
  if (typeof value === "function") throw unsendable();
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (typeof value !== "object" || value === null) return value;
  // JSON turns undefined into null in an array, and omits an undefined field.
  if (Array.isArray(value)) return mapList(value, (item) => (item === undefined ? { $undefined: true } : toWire(item)));
  if (value instanceof Uint8Array) return { $bytes: base64Of(value) };
  if (value instanceof RegExp) return { $regexp: [value.source, value.flags] };
  const object = mapFields(value, toWire);
  return Object.keys(value).some((name) => name.startsWith("$")) ? { $object: object } : object;
}

/** Throws `BAD_OPTION` for a value that `toWire` cannot have made. */
export function fromWire(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) throw badValue(`is nested more than ${MAX_DEPTH} levels deep`);
  const inner = (part: unknown) => fromWire(part, depth + 1);
  if (Array.isArray(value)) return mapList(value, inner);
  const tagged = value as {
    readonly $number?: string;
    readonly $bytes?: string;
    readonly $regexp?: readonly [string, string];
    readonly $object?: object;
  };
  if ("$number" in value) return Number(tagged.$number);
  if ("$bytes" in value) return bytesOf(String(tagged.$bytes));
  if ("$regexp" in value) return regExpOf(tagged.$regexp);
  if ("$undefined" in value) return undefined;
  return mapFields(tagged.$object ?? value, inner);
}

/** Without a copy: pages of output pass here. */
function base64Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("base64");
}

/** A plain array, as it was sent. A short Buffer shares its memory with others, so it is copied. */
function bytesOf(base64: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(base64, "base64");
  const bytes = new Uint8Array(buffer, byteOffset, length);
  return buffer.byteLength === length ? bytes : bytes.slice();
}

/** Returns the same list if nothing changes. */
function mapList(list: readonly unknown[], map: (value: unknown) => unknown): readonly unknown[] {
  const mapped = list.map(map);
  return mapped.every((item, at) => item === list[at]) ? list : mapped;
}

/** Returns the same object if nothing changes. */
function mapFields(object: object, map: (value: unknown) => unknown): object {
  const fields = object as Readonly<Record<string, unknown>>;
  let changed: Map<string, unknown> | undefined;
  for (const name of Object.keys(fields)) {
    const mapped = map(fields[name]);
    if (mapped === fields[name]) continue;
    changed ??= new Map(Object.entries(fields));
    changed.set(name, mapped);
  }
  // Not by assignment, which would change the prototype for the key `__proto__`.
  return changed ? Object.fromEntries(changed) : object;
}

function regExpOf(parts: readonly [string, string] | undefined): RegExp {
  try {
    return new RegExp(String(parts?.[0]), String(parts?.[1]));
  } catch (cause) {
    throw badValue(`has a regular expression that does not compile (${(cause as Error).message})`);
  }
}

function badValue(what: string): LimpetError {
  return new LimpetError("BAD_OPTION", `The request ${what}. Correct it and send it again.`);
}

function unsendable(): LimpetError {
  return new LimpetError(
    "BAD_OPTION",
    "A function cannot be sent to a host. Omit it, or use sessions in this process.",
  );
}
