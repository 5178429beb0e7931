/** What all versions of asciicast have in common: JSON from a file that anyone may have written. Pure. */
import type { CastHeader } from "./asciicast.ts";

interface HeaderValues {
  readonly cols?: unknown;
  readonly rows?: unknown;
  readonly timestamp?: unknown;
  readonly title?: unknown;
  readonly command?: unknown;
}

/** Undefined without a size. Other fields of a wrong type are ignored. */
export function headerFields(values: HeaderValues): Omit<CastHeader, "format"> | undefined {
  const { cols, rows, timestamp, title, command } = values;
  if (!isCount(cols) || !isCount(rows)) return undefined;
  return {
    size: { cols, rows },
    ...(typeof timestamp === "number" ? { startedAt: timestamp * 1000 } : {}),
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof command === "string" ? { command } : {}),
  };
}

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}
