/** Waits that only observe: they do not keep a session from expiring, and consume no event of another caller. */
import type { Exit } from "../../../base/exit.ts";
import type { SessionKey } from "../../../service/listing/session-name.ts";
import type { SessionService } from "../../../service/session-service.ts";
import type { TurnAnswer } from "../../../service/turn/turn-answer.ts";
import type { TurnWait } from "../../../service/turn/turn-request.ts";

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
