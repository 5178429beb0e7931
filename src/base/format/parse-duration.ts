import { MAX_TIMER_MS } from "../limits.ts";

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** What a message says about durations. */
export const DURATION_REMEDY: string = `a time such as 500ms, 5s, 2m or 1h, at most ${Math.floor(MAX_TIMER_MS / 3_600_000)}h`;

/** A duration such as `500ms`, `5s`, `2m` or `1h`, as milliseconds; undefined for anything else. */
export function parseDuration(text: string, unit: "ms" | "s" = "s"): number | undefined {
  const [, number = "", given = unit] = /^\s*(\d+\.?\d*|\.\d+)\s*(ms|s|m|h)?\s*$/.exec(text) ?? [];
  const ms = Math.round(Number(number) * (UNIT_MS[given] ?? 0));
  return number !== "" && ms <= MAX_TIMER_MS ? ms : undefined;
}
