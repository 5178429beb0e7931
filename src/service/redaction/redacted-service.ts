/**
 * A service whose answers, streams and errors contain no secret in clear. What the journal has is redacted already;
 * this also finds what only the text or the screen shows, such as a secret that is broken by the edge of the screen,
 * and what never was in a journal, such as a command.
 *
 * It wraps every method, so that one that is added later is covered.
 */
import { redactData, redactError } from "../../safety/redaction/redact-data.ts";
import type { TextRedaction } from "../../safety/redaction/text-redaction.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import type { SessionService } from "../session-service.ts";
import { redactSnapshot } from "./redact-snapshot.ts";

/** Made of numbers, which a short secret may look like. */
const IDENTIFIERS: ReadonlySet<string> = new Set(["receipt", "token"]);

type AnyMethod = (...args: unknown[]) => unknown;

export function redactedService(service: SessionService, redaction: TextRedaction): SessionService {
  return redactedMethods(service, redaction);
}

/** Also those of its parts, such as the approvals. */
function redactedMethods<T extends object>(service: T, redaction: TextRedaction): T {
  return new Proxy(service, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method === "object" && method !== null) return redactedMethods(method, redaction);
      if (typeof method !== "function") return method;
      return (...args: readonly unknown[]) =>
        redactedCall(() => (method as AnyMethod).apply(target, [...args]), redaction);
    },
  });
}

function redactedCall(call: () => unknown, redaction: TextRedaction): unknown {
  try {
    const result = call();
    if (result instanceof Promise) return redactedPromise(result, redaction);
    return isStream(result) ? redactedStream(result, redaction) : redact(result, redaction);
  } catch (error) {
    throw redactReason(error, redaction);
  }
}

async function redactedPromise(promise: Promise<unknown>, redaction: TextRedaction): Promise<unknown> {
  try {
    return redact(await promise, redaction);
  } catch (error) {
    throw redactReason(error, redaction);
  }
}

async function* redactedStream(stream: AsyncIterable<unknown>, redaction: TextRedaction): AsyncGenerator<unknown> {
  try {
    for await (const value of stream) yield redact(value, redaction);
  } catch (error) {
    throw redactReason(error, redaction);
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function redact(value: unknown, redaction: TextRedaction): unknown {
  if (redaction.version === 0) return value;
  return redactData(value, {
    redact: (text) => redaction.redact(text),
    prepare: (data) => (isSnapshot(data) ? redactSnapshot(data, redaction) : data),
    keeps: IDENTIFIERS,
  });
}

function redactReason(error: unknown, redaction: TextRedaction): unknown {
  return error instanceof Error && redaction.version > 0 ? redactError(error, (text) => redaction.redact(text)) : error;
}

function isSnapshot(data: object): data is Snapshot {
  return "lines" in data && "wrapped" in data && "caret" in data;
}
