/** Reads argument values in the type that a command needs. */
import { MAX_TIMER_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Args } from "./command.ts";

const MAX_HOURS = Math.floor(MAX_TIMER_MS / 3_600_000);

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

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as `500ms`, `5s`, `2m` or `1h`, as milliseconds. A number alone is in `unit`. */
export function durationOf(args: Args, name: string, unit: "ms" | "s" = "s"): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const [, number = "", given = unit] = /^\s*(\d+\.?\d*|\.\d+)\s*(ms|s|m|h)?\s*$/.exec(text) ?? [];
  const ms = Math.round(Number(number) * (UNIT_MS[given] ?? 0));
  if (number !== "" && ms <= MAX_TIMER_MS) return ms;
  throw new LimpetError(
    "BAD_OPTION",
    `--${name} is ${JSON.stringify(text)}. Give a time such as 500ms, 5s, 2m or 1h, at most ${MAX_HOURS}h.`,
  );
}
