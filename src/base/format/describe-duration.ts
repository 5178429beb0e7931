/** Times in a few characters, for people. Pure. */

/** `45s`, `12m`, `3h`, `5d`. */
export function describeAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 6000) return `${Math.floor(seconds / 60)}m`;
  return seconds < 360_000 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** How long something took: `240ms`, `3.2s`, `5m`. */
export function describeDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : describeAge(ms);
}

/** The time of day in this process' time zone: `14:03:59`. */
export function describeClock(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}
