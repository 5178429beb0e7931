/** An alarm whose time passes when the test says so. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Alarm } from "../../src/base/async/alarm.ts";

export interface HandAlarm {
  readonly alarm: Alarm;
  /** How often it was set. */
  readonly timesSet: number;
  /** Rings what is due within that time, in its order. Resolves when what follows from that at once has happened. */
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
