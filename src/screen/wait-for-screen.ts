/** Waits until the screen shows something, or stops changing. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { requireInteger } from "../base/require-integer.ts";
import type { Session } from "../session/session.ts";
import { compilePattern, type Pattern, type PatternMatch } from "../text/search/pattern.ts";
import { decideScreenWait, nextScreenAskMs, type ScreenFacts, type ScreenReason } from "./decide-screen-wait.ts";
import { screenOf } from "./screen.ts";
import { screenText } from "./screen-text.ts";
import type { Snapshot } from "./snapshot.ts";

/** What ends a wait for the screen. */
export interface ScreenWaitOptions {
  /** Ends the wait when the text of the screen matches. A string is a pattern too. */
  readonly until?: string | RegExp;
  /** Ends the wait when the screen has not changed for this long since the wait started. */
  readonly stableMs?: number;
  /** The longest that this wait may take. Default: no limit. */
  readonly deadlineMs?: number;
  /** Stops the waiting, never the program. */
  readonly signal?: AbortSignal;
}

/** What ended a wait, and the screen at that moment. */
export type ScreenWaitResult = ScreenReason & { readonly snapshot: Snapshot };

/** A search that takes longer than this yields to other work. */
const SLOW_MS = 8;

/**
 * Waits until `until` is on the screen, the screen is stable, the program has ended, or the deadline is over. Without
 * any of these options it waits until the program has ended.
 */
export async function waitForScreen(session: Session, options: ScreenWaitOptions = {}): Promise<ScreenWaitResult> {
  checkOptions(options);
  const { signal } = options;
  const pattern = options.until === undefined ? undefined : compilePattern(options.until);
  const screen = screenOf(session);
  const startedMs = performance.now();
  let changedMs = startedMs;
  let lastFace: string | undefined;
  return await screen.watch(async (changed) => {
    for (;;) {
      signal?.throwIfAborted();
      // Read first, so that the snapshot has all that an ended program has written.
      const { exit } = session;
      const snapshot = await screen.snapshot();
      const text = screenText(snapshot, { marks: false, unwrap: true });
      const face = faceOf(snapshot, text);
      if (lastFace !== undefined && face !== lastFace) changedMs = performance.now();
      const match = pattern && face !== lastFace ? await find(pattern, text) : undefined;
      lastFace = face;
      const facts: ScreenFacts = { nowMs: performance.now(), startedMs, changedMs, match, exit };
      const decided = decideScreenWait(facts, options);
      if (decided) return { ...decided, snapshot };
      // What came meanwhile may have been announced before this loop waits.
      const isBehind = session.endCursor > snapshot.cursor || session.exit !== exit;
      if (isBehind) await nextTurn();
      else await changed({ signal, atMs: nextScreenAskMs(facts, options) });
    }
  });
}

/** Equal for screens that look the same to a reader. */
function faceOf({ marks, caret, title, size }: Snapshot, text: string): string {
  return `${JSON.stringify([marks, caret, title, size])}\n${text}`;
}

async function find(pattern: Pattern, text: string): Promise<PatternMatch | undefined> {
  if (!pattern.staysInLine) return pattern.exec(text) ?? undefined;
  let startedMs = performance.now();
  for (const line of text.split("\n")) {
    const match = pattern.exec(line);
    if (match) return match;
    if (performance.now() - startedMs > SLOW_MS) {
      await nextTurn();
      startedMs = performance.now();
    }
  }
  return undefined;
}

function checkOptions({ stableMs, deadlineMs }: ScreenWaitOptions): void {
  if (stableMs !== undefined) requireInteger("stableMs", stableMs, { min: 1, max: Number.MAX_SAFE_INTEGER });
  if (deadlineMs !== undefined) requireInteger("deadlineMs", deadlineMs, { min: 0, max: Number.MAX_SAFE_INTEGER });
}
