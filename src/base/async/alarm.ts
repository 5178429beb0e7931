/** A timer that tests can replace, so that they need not wait for hours. */

/** Calls `ring` once after `afterMs`. Returns a function that cancels it. */
export type Alarm = (afterMs: number, ring: () => void) => () => void;

/** Does not keep the process alive. */
export const realAlarm: Alarm = (afterMs, ring) => {
  const timer = setTimeout(ring, afterMs);
  timer.unref();
  return () => clearTimeout(timer);
};
