/** An alarm whose clock the test advances. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Alarm } from "../../src/base/async/alarm.ts";

export interface HandAlarm {
  readonly alarm: Alarm;
  /** How often it was set. */
  readonly timesSet: number;
  /** Rings the alarms that are due within that time, in order. Resolves when their immediate effects have happened. */
  pass(ms: number): Promise<void>;
}

export function handAlarm(): HandAlarm {
  const set = new Map<object, { readonly atMs: number; readonly ring: () => void }>();
  let nowMs = 0;
  let timesSet = 0;
  return {
    alarm(afterMs, ring) {
      const key = {};
      timesSet += 1;
      set.set(key, { atMs: nowMs + afterMs, ring });
      return () => void set.delete(key);
    },
    get timesSet() {
      return timesSet;
    },
    async pass(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = [...set].sort(([, one], [, other]) => one.atMs - other.atMs);
        if (!next || next[1].atMs > untilMs) break;
        nowMs = next[1].atMs;
        set.delete(next[0]);
        next[1].ring();
      }
      nowMs = untilMs;
      await nextTurn();
    },
  };
}
