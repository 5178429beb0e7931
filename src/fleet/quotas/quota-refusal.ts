/** Why a host did not reserve a session, and how long it goes on trying. */
import { LimpetError } from "../../base/limpet-error.ts";
import { describeFull, type Share } from "./quotas.ts";

export type QuotaRefusal =
  | { readonly verdict: "contended" | "full"; readonly share: Share; readonly running: number }
  /** NATS did not answer. */
  | { readonly verdict: "unknown"; readonly cause: unknown };

/** Starts at the same moment that would be too many together try again for this long. */
const PATIENCE_MS = 3_000;
/** NATS may come back in this time. */
const OUTAGE_MS = 10_000;

/** Without an answer of NATS. Quotas that cannot be understood are an error at once. */
export function refusalBy(cause: unknown): QuotaRefusal {
  if (cause instanceof LimpetError && cause.code === "BAD_CONFIG") throw cause;
  return { verdict: "unknown", cause };
}

/** Undefined: it may be allowed in a moment. `waitedMs`: since the start was asked for. Pure. */
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
