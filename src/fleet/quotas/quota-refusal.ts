/** Why a host did not reserve a session, and how long it retries. */
import { LimpetError } from "../../base/limpet-error.ts";
import { describeFull, type Share } from "./quotas.ts";

export type QuotaRefusal =
  | { readonly verdict: "contended" | "full"; readonly share: Share; readonly running: number }
  /** NATS did not answer. */
  | { readonly verdict: "unknown"; readonly cause: unknown };

/** Simultaneous starts that would exceed a quota together are retried for this long. */
const PATIENCE_MS = 3_000;
/** How long to wait for NATS to come back. */
const OUTAGE_MS = 10_000;

/** The refusal for a request to NATS that failed. Throws at once for quotas that cannot be read. */
export function refusalBy(cause: unknown): QuotaRefusal {
  if (cause instanceof LimpetError && cause.code === "BAD_CONFIG") throw cause;
  return { verdict: "unknown", cause };
}

/** Undefined if the caller should try again. `waitedMs`: time since the start was requested. Pure. */
export function errorOfRefusal(refusal: QuotaRefusal, waitedMs: number): LimpetError | undefined {
  const isOver = waitedMs >= (refusal.verdict === "unknown" ? OUTAGE_MS : PATIENCE_MS);
  if (refusal.verdict !== "full" && !isOver) return undefined;
  if (refusal.verdict !== "unknown") return new LimpetError("FLEET_FULL", describeFull(refusal.share, refusal.running));
  return new LimpetError(
    "FLEET_UNREACHABLE",
    "How many sessions run in the fleet is unknown, so nothing was started. Try again.",
    { cause: refusal.cause },
  );
}
