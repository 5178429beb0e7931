/** What to do about a connection that broke: repeat what is safe to repeat, and report an unknown outcome. */
import { setTimeout as sleep } from "node:timers/promises";
import { LimpetError } from "../../base/limpet-error.ts";
import type { LinkRules } from "./link-rules.ts";

interface Retrying extends Pick<LinkRules, "pausesMs"> {
  /** Waits before the next attempt. Default: nothing ends the wait. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** A host that is ending may still accept a connection. Only for requests that are safe to repeat. */
export async function retried<T>({ pausesMs, pause = sleep }: Retrying, attempt: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!isGone(error)) throw error;
      await pause(pauseMs);
    }
  }
  return await attempt();
}

/** The connection broke. */
export function isGone(error: unknown): boolean {
  return error instanceof LimpetError && (error.code === "HOST_GONE" || error.code === "LINK_LOST");
}

/** The call may have had its effect. */
export function unknownOutcome(code: LinkRules["lossCode"], cause?: unknown): LimpetError {
  const what = code === "HOST_GONE" ? "The host ended" : "The link to the place broke";
  const why = code === "LINK_LOST" && cause instanceof LimpetError && cause.code !== code ? ` (${cause.message})` : "";
  return new LimpetError(
    code,
    `${what} during the call, and its outcome is unknown${why}. Check the sessions before you repeat the call.`,
    { cause },
  );
}
