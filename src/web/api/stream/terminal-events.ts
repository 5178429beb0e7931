/** What the terminal of a page gets: a screen to begin with, then everything that follows. */
import { setTimeout as sleep } from "node:timers/promises";
import { LimpetError } from "../../../base/limpet-error.ts";
import { isLinkError } from "../../../host/client/resumed-stream.ts";
import type { SessionService } from "../../../service/session-service.ts";
import type { TerminalPosition } from "./event-id.ts";
import { type TerminalEvent, TerminalRun } from "./terminal-run.ts";

interface TerminalOptions {
  readonly key: string;
  /** What the page has; undefined: nothing. */
  readonly position: TerminalPosition | undefined;
  readonly signal: AbortSignal;
}

/** Before a host that is gone, or a link that broke, is asked again. */
const RETRY_MS = 1_000;

/** Ends after `ended`. Goes on when the host is back. */
export async function* terminalEvents(
  sessions: SessionService,
  { key, position: first, signal }: TerminalOptions,
): AsyncGenerator<TerminalEvent, void, undefined> {
  let position = first;
  while (!signal.aborted) {
    try {
      const run = new TerminalRun(sessions, key, signal);
      for await (const event of run.events(position)) {
        position = event.position;
        yield event;
        if (event.event === "ended") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof LimpetError && error.code === "SESSION_NOT_FOUND") {
        yield { event: "ended", data: { key, exit: null, isLost: false }, position };
        return;
      }
      if (!isHostError(error)) throw error;
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

function isHostError(error: unknown): boolean {
  return isLinkError(error) || (error instanceof LimpetError && error.code.startsWith("HOST_"));
}
