/**
 * Waits until the screen shows how a program reacts to a key. A program with an event loop reads a key, waits again at
 * once, and draws up to 32 ms later: according to the kernel, it has waited all the time.
 */
import type { Cursor } from "../base/cursor.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";

/** Longer than programs take to draw. A key without any effect costs this much. */
const ANSWER_MS = 300;
/** Longer than the pause between two frames. */
const QUIET_MS = 50;
/** A program with an animation never falls quiet. */
const MOST_MS = 600;

interface ReactionOptions {
  /** Where the output ended when the key was typed. */
  readonly from: Cursor;
  /** What is left of the time of the call. */
  readonly mostMs: number;
  readonly signal?: AbortSignal | undefined;
}

export async function waitForReaction(session: Session, { from, mostMs, signal }: ReactionOptions): Promise<void> {
  const { store } = internalsOf(session);
  const startedMs = performance.now();
  const untilMs = startedMs + Math.min(MOST_MS, mostMs);
  for (;;) {
    const dueMs = store.end > from ? store.lastMs + QUIET_MS : startedMs + ANSWER_MS;
    const atMs = Math.min(dueMs, untilMs);
    if (session.exit || performance.now() >= atMs) return;
    await store.changes.next({ signal, atMs });
  }
}
