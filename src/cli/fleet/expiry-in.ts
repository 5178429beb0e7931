import { LimpetError } from "../../base/limpet-error.ts";

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Credentials that should be valid for longer need no expiry. */
const MAX_MS = 10_000 * 86_400_000;

/** When something ends that is valid for this long, such as `90d`, in milliseconds since 1970. Pure. */
export function expiryIn(text: string, nowMs: number): number {
  const [, number = "", unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(number) * (UNIT_MS[unit] ?? 0);
  if (ms > 0 && ms <= MAX_MS) return nowMs + ms;
  throw new LimpetError("BAD_OPTION", `--expires is ${JSON.stringify(text)}. Give a time such as 12h or 90d.`);
}
