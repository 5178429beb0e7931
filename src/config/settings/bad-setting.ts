/** A value in a configuration file, and where it is. */
import { LimpetError } from "../../base/limpet-error.ts";

/** A setting as it is in the file. */
export interface GivenSetting {
  readonly value: unknown;
  /** Counted from 1. */
  readonly line: number;
  /** What `~` stands for. */
  readonly home: string;
}

/** `what` continues "Line 3": "has …". `remedy` is a sentence. */
export function badSetting({ line }: Pick<GivenSetting, "line">, what: string, remedy: string): LimpetError {
  return new LimpetError("BAD_CONFIG", `Line ${line} ${what}. ${remedy}`);
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** An object, as opposed to a list or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
