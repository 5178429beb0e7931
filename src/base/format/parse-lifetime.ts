const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** How long something is valid, such as `30m`, `12h` or `30d`, as milliseconds; undefined for anything else. */
export function parseLifetime(text: string): number | undefined {
  const [, number = "", unit = ""] = /^\s*(\d{1,6})\s*([mhd])\s*$/.exec(text) ?? [];
  const ms = Number(number) * (UNIT_MS[unit] ?? 0);
  return ms > 0 ? ms : undefined;
}
