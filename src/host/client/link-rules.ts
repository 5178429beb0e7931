/** How a connection to a host behaves: on this machine, or over a link that can break without notice. */
import type { LimpetErrorCode } from "../../base/limpet-error.ts";

export interface LinkRules {
  /** The code of a call whose connection breaks. */
  readonly lossCode: Extract<LimpetErrorCode, "HOST_GONE" | "LINK_LOST">;
  /** How long a host may take to answer what it answers at once. */
  readonly answerMs: number;
  /** The pause before each attempt to connect again; after the last one the call fails. */
  readonly pausesMs: readonly number[];
  /**
   * Streams continue over the next link. The client makes it in the background while streams are open or sessions run
   * there.
   */
  readonly resumes?: true;
  /** Asks the host for a sign of life, and ends a connection without one. */
  readonly keepAlive?: KeepAliveRules;
}

export interface KeepAliveRules {
  readonly everyMs: number;
  /** The connection ends after this many checks without an answer. */
  readonly maxMissed: number;
}

/** A host answers in a millisecond, on an overloaded machine within seconds. One that is ending still accepts. */
export const LOCAL_LINK: LinkRules = { lossCode: "HOST_GONE", answerMs: 4_500, pausesMs: [20, 40, 60, 80] };

const PAUSES_MS = [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
/** A link that has been gone for about an hour is given up; the next call tries again. */
const MAX_ATTEMPTS = 120;

/** The pause before the next attempt in the background; undefined after the last one. Pure. */
export function pauseBeforeAttempt(attempt: number): number | undefined {
  return attempt < MAX_ATTEMPTS ? (PAUSES_MS[attempt] ?? PAUSES_MS.at(-1)) : undefined;
}

/** A dead link is noticed after at most 44 s without an answer. A call waits a minute for the next one. */
export const FAR_LINK: LinkRules = {
  lossCode: "LINK_LOST",
  answerMs: 15_000,
  pausesMs: PAUSES_MS,
  resumes: true,
  keepAlive: { everyMs: 11_000, maxMissed: 3 },
};
