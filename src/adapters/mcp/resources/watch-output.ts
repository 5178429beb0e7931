/** Reports that the output of a session has grown: at once, then at most once per interval. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionKey } from "../../../service/listing/session-name.ts";
import type { SessionService } from "../../../service/session-service.ts";
import { watchSession } from "./watch-session.ts";

export interface OutputWatchOptions {
  readonly sessions: SessionService;
  readonly key: SessionKey;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

const MIN_PAUSE_MS = 250;
const ANYTHING = "[\\s\\S]";

/** Resolves when the session has ended or the signal is aborted. */
export async function watchOutput({ sessions, key, onChange, signal }: OutputWatchOptions): Promise<void> {
  let { outputBytes: from } = await sessions.find(key);
  try {
    for (;;) {
      const wait = { until: ANYTHING, from, onInput: false };
      const { result, session } = await watchSession(sessions, { key, wait, signal });
      // Later output is reported the next time.
      from = session.outputBytes;
      onChange();
      if (result?.reason === "exited") return;
      await sleep(MIN_PAUSE_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
