/** Yields a session's screen whenever it may have changed, until the program has ended. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Snapshot } from "../../screen/snapshot.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionIdentity } from "../../service/listing/session-state.ts";
import type { SessionService } from "../../service/session-service.ts";
import { readScreen } from "../../service/turn/simple-turns.ts";

export interface FollowedScreen {
  readonly snapshot: Snapshot;
  /** Taken before the snapshot: if the program had ended by then, the snapshot has all its output. */
  readonly session: SessionIdentity;
}

export interface FollowOptions {
  readonly caller: string;
  readonly cells: boolean;
  readonly signal: AbortSignal;
}

/** Short enough for a person. Asking whether anything is new costs almost nothing. */
const LOOK_EVERY_MS = 50;

/** Ends when the program has ended. Rejects if `signal` is aborted. */
export async function* followScreen(
  sessions: SessionService,
  key: SessionKey,
  { caller, cells, signal }: FollowOptions,
): AsyncGenerator<FollowedScreen, void, undefined> {
  let last = "";
  for (;;) {
    signal.throwIfAborted();
    const session = await sessions.find(key);
    const { outputBytes, size, exit, lost } = session;
    const now = JSON.stringify([outputBytes, size, exit, lost]);
    if (now !== last) {
      const { snapshot } = await readScreen(sessions, key, { caller, cells });
      yield { snapshot, session };
    }
    if (exit !== null || lost) return;
    last = now;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}
