/** Says that a wait for output does not search what a full-screen program shows, and how to wait for that. */
import { randomUUID } from "node:crypto";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionName } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { describeName } from "../print/describe-session.ts";
import { printError } from "../print/print.ts";

/** Prints a line for each session with a full-screen program, unless `over`. Resolves with whether it printed any. */
export async function warnOfScreens(
  sessions: SessionService,
  names: readonly SessionName[],
  over?: AbortSignal,
): Promise<boolean> {
  const areFullScreen = await Promise.all(names.map((name) => isFullScreen(sessions, name)));
  if (over?.aborted) return false;
  const found = names.filter((_, index) => areFullScreen[index]);
  for (const name of found) {
    printError(
      `${describeName(name)} shows a full-screen program. --until searches its output, not its screen. ` +
        `To search its screen: limpet screen ${keyOf(name)} --until REGEX`,
    );
  }
  return found.length > 0;
}

async function isFullScreen(sessions: SessionService, name: SessionName): Promise<boolean> {
  // Another caller, which only observes: the wait gets all events.
  const caller = `limpet wait ${randomUUID()}`;
  const on = { kind: "session", key: keyOf(name) } as const;
  const look = sessions.turn({ caller, on, isWatch: true, read: { kind: "screen", cells: false } });
  // What is wrong with a session is reported by the wait.
  const turn = await look.catch(() => undefined);
  return turn?.session.exit === null && turn.screen?.snapshot.isAlternate === true;
}
