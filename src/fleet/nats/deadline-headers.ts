/** The deadline of a request in its headers. */
import { randomUUID } from "node:crypto";
import { uptime } from "node:os";
import { headers, type MsgHdrs } from "@nats-io/transport-node";
import type { SentAt } from "./arrivals.ts";

const [CLOCK, SENT, WITHIN] = ["Limpet-Clock", "Limpet-Sent", "Limpet-Within"];
const OWN_CLOCK: string = randomUUID();

/** Goes on while the machine sleeps, and does not jump when somebody sets its time. */
export function clockMs(): number {
  return uptime() * 1000;
}

export function deadlineHeaders(withinMs: number): MsgHdrs {
  const own = headers();
  own.set(CLOCK, OWN_CLOCK);
  own.set(SENT, String(Math.round(clockMs())));
  own.set(WITHIN, String(withinMs));
  return own;
}

/** Undefined for a message without a deadline. */
export function readDeadline(given: MsgHdrs | undefined): SentAt | undefined {
  const clock = given?.get(CLOCK);
  if (!given || !clock || clock.length > OWN_CLOCK.length) return undefined;
  const [sentMs, withinMs] = [Number(given.get(SENT)), Number(given.get(WITHIN))];
  return Number.isFinite(sentMs) && Number.isFinite(withinMs) ? { clock, sentMs, withinMs } : undefined;
}
