/** Reads argument values in the type that a command needs. */

import { DURATION_REMEDY, parseDuration } from "../../base/format/parse-duration.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Args } from "./command.ts";

export function isOn(args: Args, name: string): boolean {
  return args[name] === true;
}

export function textOf(args: Args, name: string): string | undefined {
  const value = args[name];
  return typeof value === "string" ? value : undefined;
}

/** For a required argument. */
export function requiredText(args: Args, name: string): string {
  return textOf(args, name) ?? "";
}

/** Empty if nothing was given. */
export function listOf(args: Args, name: string): readonly string[] {
  const value = args[name];
  return Array.isArray(value) ? value : [];
}

interface Range {
  readonly min: number;
  readonly max: number;
}

export function wholeOf(args: Args, name: string, { min, max }: Range): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new LimpetError(
    "BAD_OPTION",
    `--${name} is ${JSON.stringify(text)}. Give a whole number from ${min} to ${max}.`,
  );
}

/** A duration such as `500ms`, `5s`, `2m` or `1h`, as milliseconds. A number alone is in `unit`. */
export function durationOf(args: Args, name: string, unit: "ms" | "s" = "s"): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const ms = parseDuration(text, unit);
  if (ms !== undefined) return ms;
  throw new LimpetError("BAD_OPTION", `--${name} is ${JSON.stringify(text)}. Give ${DURATION_REMEDY}.`);
}

/** Rejects with BAD_OPTION for a word that is not one of these. */
export function wordOf<T extends string>(args: Args, name: string, words: readonly T[]): T | undefined {
  const text = textOf(args, name);
  const found = words.find((word) => word === text);
  if (text === undefined || found !== undefined) return found;
  throw new LimpetError("BAD_OPTION", `--${name} is ${JSON.stringify(text)}. Give ${words.join(" or ")}.`);
}
