/** Redacts all texts of plain data. Bytes are left as they are: they come from a journal, which is redacted already. */
import { LimpetError } from "../../base/limpet-error.ts";

export interface RedactOptions {
  readonly redact: (text: string) => string;
  /** May replace an object before its texts are redacted one by one, because a secret may be spread over several. */
  readonly prepare?: (data: object) => object;
  /** Fields that are not redacted: identifiers of our own, which must stay equal. */
  readonly keeps?: ReadonlySet<string>;
}

/** Returns the same object if nothing in it changes. */
export function redactData<T>(data: T, options: RedactOptions): T {
  return redactAny(data, options) as T;
}

function redactAny(data: unknown, options: RedactOptions): unknown {
  if (typeof data === "string") return options.redact(data);
  if (Array.isArray(data)) {
    const items = data.map((item) => redactAny(item, options));
    return items.some((item, index) => item !== data[index]) ? items : data;
  }
  if (!isPlain(data)) return data;
  const prepared = options.prepare?.(data) ?? data;
  const entries = Object.entries(prepared).map(([key, value]) => {
    return [key, value, options.keeps?.has(key) ? value : redactAny(value, options)] as const;
  });
  if (entries.every(([, before, after]) => before === after)) return prepared;
  return Object.fromEntries(entries.map(([key, , after]) => [key, after]));
}

/** The redacted error has no `cause`, because its message may contain the same secret. */
export function redactError(error: Error, redact: (text: string) => string): Error {
  const message = redact(error.message);
  if (message === error.message) return error;
  if (!(error instanceof LimpetError)) return new Error(message);
  const { undeliveredBytes, sessionId } = error;
  return new LimpetError(error.code, message, { undeliveredBytes, sessionId });
}

/** Not bytes, patterns or errors. */
function isPlain(data: unknown): data is object {
  if (typeof data !== "object" || data === null) return false;
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === Object.prototype || prototype === null;
}
