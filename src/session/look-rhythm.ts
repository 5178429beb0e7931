/** When to look at who waits for input. Pure. */

/** A flood is not a pause: with this much output in the last moments, a look would only slow it down. */
export const FLOOD_BYTES: number = 16 * 1024;
const AFTER_FLOOD_MS = 3;
const FIRST_MS = 1;
/** A program that has been silent for a while may be so for longer: looks take a fixed part of the time. */
const SILENCE_PART = 1 / 8;
const SLOWEST_MS = 5_000;

/**
 * How long to wait before the next look, when `silentMs` have passed since output or input and this look found nothing. At
 * once (0) right after something happened.
 */
export function nextLookMs(silentMs: number, recentBytes: number): number {
  if (recentBytes >= FLOOD_BYTES) return AFTER_FLOOD_MS;
  return Math.min(SLOWEST_MS, Math.max(FIRST_MS, silentMs * SILENCE_PART));
}

/** Between two looks that must agree before a program that reads keys counts as waiting. */
export function confirmMs(evidence: { readonly isEpoll: boolean }): number {
  // Programs on epoll have several threads and block between two steps of their own; the others do not.
  return evidence.isEpoll ? 6 : 0;
}
