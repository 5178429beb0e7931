/** Says when the output of a session grows: soon at first, then not more often than a client can follow. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionKey, SessionService } from "../../service/session-service.ts";

export interface OutputWatchOptions {
  readonly sessions: SessionService;
  readonly key: SessionKey;
  /** Its place in the output is its own. */
  readonly caller: string;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

const LEAST_PAUSE_MS = 250;
const ANYTHING = "[\\s\\S]";

/** Resolves when the session has ended or the signal is aborted. */
export async function watchOutput({ sessions, key, caller, onChange, signal }: OutputWatchOptions): Promise<void> {
  await sessions.skipUnread(key, caller);
  try {
    for (;;) {
      const { yielded } = await sessions.wait({
        keys: [key],
        caller,
        until: ANYTHING,
        onInput: false,
        isWatch: true,
        signal,
      });
      // What comes from here on is told the next time.
      await sessions.skipUnread(key, caller);
      onChange();
      if (yielded.reason === "exited") return;
      await sleep(LEAST_PAUSE_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
