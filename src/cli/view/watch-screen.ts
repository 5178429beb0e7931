/** `limpet screen --watch`: shows a session's screen as it changes. Sends no keys. */

import type { Exit } from "../../base/exit.ts";
import type { SessionIdentity } from "../../service/listing/session-state.ts";
import type { SessionService } from "../../service/session-service.ts";
import { describeName } from "../print/describe-session.ts";
import { LiveView } from "./live-view.ts";

/** Ctrl+C, as a byte and in the key protocols; q, as in pagers. */
const LEAVE = /\x03|q|\x1b\[99;5u|\x1b\[27;5;99~/;

/** How the program ended, with its last screen; undefined if the person left before. */
export type WatchEnd = { readonly exit: Exit | undefined; readonly lastLines: readonly string[] } | undefined;

/** Runs until the person leaves or the program ends. Always restores the terminal. */
export async function watchScreen(sessions: SessionService, session: SessionIdentity): Promise<WatchEnd> {
  const leaving = new AbortController();
  let { size } = session;
  const view = await LiveView.open(sessions, session.id, {
    onInput: (bytes) => void (LEAVE.test(Buffer.from(bytes).toString("latin1")) && leaving.abort()),
    onPart: (part) => {
      if (part.kind === "size") size = part.size;
    },
    passesKeys: false,
    status: () => `${describeName(session)}${size ? `, ${size.cols}x${size.rows}` : ""}. Ctrl+C leaves.`,
  });
  try {
    const exit = await view.follow(sessions, session.id, leaving.signal);
    return { exit, lastLines: view.lastLines() };
  } catch (error) {
    if (leaving.signal.aborted) return undefined;
    throw error;
  } finally {
    view.close();
  }
}
