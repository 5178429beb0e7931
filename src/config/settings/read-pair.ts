/** Settings that can be given as `{ default, ceiling }`. */
import { isRecord } from "./bad-setting.ts";

export interface Pair {
  readonly default?: unknown;
  readonly ceiling?: unknown;
}

/** An object that has nothing else than a default and a ceiling, of which one may be missing by mistake. */
export function isPair(value: unknown): value is Pair {
  if (!isRecord(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key === "default" || key === "ceiling");
}

/** For the remedy of an error, with an example of each. */
export function pairRemedy(usual: string, ceiling: string): string {
  return `Use, for example, { "default": ${usual}, "ceiling": ${ceiling} }.`;
}
