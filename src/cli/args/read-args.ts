/** Reads argument values in the type that a command needs. */
import { MAX_TIMER_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Args } from "./command.ts";

const MAX_SECONDS = Math.floor(MAX_TIMER_MS / 1000);

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

/** A number of seconds, as milliseconds. */
export function secondsOf(args: Args, name: string): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= MAX_SECONDS) return Math.round(value * 1000);
  throw new LimpetError(
    "BAD_OPTION",
    `--${name} is ${JSON.stringify(text)}. Give a number of seconds from 0 to ${MAX_SECONDS}.`,
  );
}
