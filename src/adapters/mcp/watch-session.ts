/** Waits that only observe: they do not keep a session from expiring, and consume no event of another caller. */
import type { Exit } from "../../base/exit.ts";
import type { SessionKey, SessionService } from "../../service/session-service.ts";
import type { TurnAnswer, TurnWait } from "../../service/turn/turn.ts";

const WATCHER = "watch";

export interface Watch {
  readonly key: SessionKey;
  readonly wait: Omit<Extract<TurnWait, { kind: "output" }>, "kind">;
  readonly signal: AbortSignal;
}

export function watchSession(sessions: SessionService, { key, wait, signal }: Watch): Promise<TurnAnswer> {
  return sessions.turn({
    caller: WATCHER,
    on: { kind: "session", key },
    wait: { kind: "output", ...wait },
    isWatch: true,
    signal,
  });
}

/** Resolves with the exit of the program. */
export async function untilExited(sessions: SessionService, key: SessionKey, signal: AbortSignal): Promise<Exit> {
  for (;;) {
    const { result } = await watchSession(sessions, { key, wait: { onInput: false }, signal });
    if (result?.reason === "exited") return result.exit;
  }
}
