/** Rings once, later. What a host does in hours can be tried with one that rings when it is told to. */

/** Returns what keeps it from ringing. */
export type Alarm = (afterMs: number, ring: () => void) => () => void;

/** Keeps no process alive. */
export const realAlarm: Alarm = (afterMs, ring) => {
  const timer = setTimeout(ring, afterMs);
  timer.unref();
  return () => clearTimeout(timer);
};
