/** Refuses a number that is not an integer or out of range. Nothing is clamped. */
import { LimpetError } from "./limpet-error.ts";

interface Range {
  readonly min: number;
  readonly max: number;
}

export function requireInteger(name: string, value: number, { min, max }: Range): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  // A string such as "10" would look like a number.
  const shown = typeof value === "string" ? JSON.stringify(value) : value;
  throw new LimpetError("BAD_OPTION", `${name} is ${shown}. Give a whole number from ${min} to ${max}.`);
}
