/** What was given for a flag, in the type that it has. */

import { MAX_TIMER_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";

const MAX_SECONDS = Math.floor(MAX_TIMER_MS / 1000);

/** As the library gives them: by name, of no type that one could trust. */
export type Flags = Readonly<Record<string, unknown>>;

export function isOn(flags: Flags, name: string): boolean {
  return flags[name] === true;
}

export function textOf(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

export function wholeOf(flags: Flags, name: string, { min, max }: Range): number | undefined {
  const text = textOf(flags, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new LimpetError(
    "BAD_OPTION",
    `--${name} is ${JSON.stringify(text)}. Give a whole number from ${min} to ${max}.`,
  );
}

/** A number of seconds, as milliseconds. */
export function secondsOf(flags: Flags, name: string): number | undefined {
  const text = textOf(flags, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= MAX_SECONDS) return Math.round(value * 1000);
  throw new LimpetError(
    "BAD_OPTION",
    `--${name} is ${JSON.stringify(text)}. Give a number of seconds from 0 to ${MAX_SECONDS}.`,
  );
}
