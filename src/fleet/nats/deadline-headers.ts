/** The deadline of a request in its headers. */
import { randomUUID } from "node:crypto";
import { uptime } from "node:os";
import type { SentAt } from "./arrivals.ts";

const [CLOCK, SENT, WITHIN] = ["Limpet-Clock", "Limpet-Sent", "Limpet-Within"] as const;
const OWN_CLOCK: string = randomUUID();

/** A monotonic clock that also counts while the machine sleeps. */
export function clockMs(): number {
  return uptime() * 1000;
}

export function deadlineHeaders(withinMs: number): Readonly<Record<string, string>> {
  return { [CLOCK]: OWN_CLOCK, [SENT]: String(Math.round(clockMs())), [WITHIN]: String(withinMs) };
}

/** Undefined for a message without a deadline. `read` returns a header by its name. */
export function readDeadline(read: (name: string) => string | undefined): SentAt | undefined {
  const clock = read(CLOCK);
  if (!clock || clock.length > OWN_CLOCK.length) return undefined;
  const [sentMs, withinMs] = [Number(read(SENT)), Number(read(WITHIN))];
  return Number.isFinite(sentMs) && Number.isFinite(withinMs) ? { clock, sentMs, withinMs } : undefined;
}
