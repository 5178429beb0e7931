/**
 * A person at a session's terminal: keys go to the program, its output comes to the screen, until the person detaches,
 * the program ends or the host is gone. Any number of people may do that at once; whoever came or resized last sets the
 * size, and the session gets its own size back when they detach.
 */

import { randomUUID } from "node:crypto";
import { deferred } from "../../base/deferred.ts";
import { describeExit, type Exit } from "../../base/exit.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { SessionKey, SessionName, SessionService } from "../../service/session-service.ts";
import { untilExited } from "../../service/simple-turns.ts";
import { TerminalModeTracker } from "../../session/modes/terminal-mode-tracker.ts";
import { describeName } from "../print/describe-session.ts";
import { BELL } from "../print/terminal-sequences.ts";
import { beforeDetachKey } from "./detach-key.ts";
import { InputPump } from "./input-pump.ts";
import { type Repaint, repaintOf } from "./repaint.ts";
import { sizeForSession, UserTerminal } from "./user-terminal.ts";

export interface AttachOptions {
  /** Watch only: send no keys and do not resize. */
  readonly isReadOnly: boolean;
  /** `screen`: start with the current screen. `all`: print all output, starting below the cursor. */
  readonly show: "screen" | "all";
}

/** A screen is drawn in a few milliseconds, on a busy machine in some hundred. */
const REDRAW_MS = 1_000;
const NOTHING: Repaint = { drawing: "", cursor: 0 };

/** Why the person is no longer attached. */
export type AttachEnd = { readonly kind: "detached" } | { readonly kind: "exited"; readonly exit: Exit };

/** Printed below what the session left on the screen. */
export function describeEnd(session: SessionName, end: AttachEnd): string {
  const who = describeName(session);
  return `[${end.kind === "detached" ? `detached from ${who}, still running` : `${who} ${describeExit(end.exit)}`}]`;
}

/** Rejects with `HOST_GONE` if the host dies. Always restores the terminal. */
export async function attachTo(sessions: SessionService, key: SessionKey, options: AttachOptions): Promise<AttachEnd> {
  const { id, size } = await sessions.find(key);
  const caller = `attach ${randomUUID()}`;
  const leaving = new AbortController();
  const { signal } = leaving;
  const pump = new InputPump({
    write: (bytes) => sessions.write(id, bytes, { caller, by: "person" }),
    onRefused: () => terminal.write(BELL),
  });
  // Until the screen is there, keys wait.
  const ready = deferred<void>();
  pump.holdUntil(ready.promise);
  const onInput = (bytes: Uint8Array) => {
    const before = beforeDetachKey(bytes);
    if (!options.isReadOnly) pump.push(before ?? bytes);
    if (before) leaving.abort();
  };
  // A program that has just ended has no terminal to resize.
  const takeSize = async () => {
    ours = sizeForSession();
    await sessions.resize(id, ours).catch(() => undefined);
  };
  let ours = sizeForSession();
  const setsSize = size !== null && !options.isReadOnly;
  const terminal = UserTerminal.take({ onInput, onResize: () => void (setsSize && takeSize()) });
  try {
    if (setsSize) await takeSize();
    const { drawing, cursor } = options.show === "all" ? NOTHING : await repaintOf(sessions, id, signal);
    terminal.write(drawing);
    if (setsSize && isFullScreen(drawing)) {
      await redraw(sessions, id);
      void redrawn(sessions, id, { caller, signal })
        .finally(ready.resolve)
        .catch(() => undefined);
    } else ready.resolve();
    const exit = await follow(sessions, id, { terminal, cursor, signal });
    return exit ? { kind: "exited", exit } : { kind: "detached" };
  } catch (error) {
    if (signal.aborted) return { kind: "detached" };
    throw error;
  } finally {
    ready.resolve();
    leaving.abort();
    terminal.giveBack();
    if (setsSize && options.show === "screen") await giveSizeBack(sessions, id, { before: size, ours });
  }
}

interface Sizes {
  readonly before: TerminalSize;
  readonly ours: TerminalSize;
}

/** The session had another size before this person came: it gets it back, unless somebody else has changed it since. */
async function giveSizeBack(sessions: SessionService, id: number, { before, ours }: Sizes): Promise<void> {
  try {
    const { size } = await sessions.find(id);
    if (size?.cols === ours.cols && size.rows === ours.rows) await sessions.resize(id, before);
  } catch {
    // The program or the host has ended.
  }
}

interface Following {
  readonly terminal: UserTerminal;
  readonly cursor: number;
  readonly signal: AbortSignal;
}

/** Runs until the program has ended and all its output is shown. Processes that it left behind may still print. */
async function follow(
  sessions: SessionService,
  id: number,
  { terminal, cursor, signal }: Following,
): Promise<Exit | undefined> {
  const done = new AbortController();
  let shownTo = cursor;
  let last = Number.POSITIVE_INFINITY;
  const stopWhenShown = () => void (shownTo >= last && done.abort());
  const exited = untilExited(sessions, id, signal).then(async () => {
    const { exit, outputBytes } = await sessions.find(id);
    last = outputBytes;
    stopWhenShown();
    return exit ?? undefined;
  });
  // An error there also appears here.
  exited.catch(() => done.abort());
  try {
    for await (const page of sessions.output(id, { from: cursor, signal: AbortSignal.any([signal, done.signal]) })) {
      if (page.dropped > 0)
        terminal.write(`\r\n[limpet: skipped ${page.dropped} bytes that came too fast to show]\r\n`);
      terminal.show(page.bytes);
      shownTo = page.next;
      stopWhenShown();
    }
  } catch (error) {
    if (!done.signal.aborted) throw error;
  }
  return await exited;
}

function isFullScreen(drawing: string): boolean {
  const tracker = new TerminalModeTracker();
  tracker.push(Buffer.from(drawing));
  return tracker.isAlternateScreen;
}

/** Makes the program redraw its whole screen. Setting the same size again would do nothing. */
async function redraw(sessions: SessionService, id: number): Promise<void> {
  const { cols, rows } = sizeForSession();
  await sessions.resize(id, { cols, rows: rows > 1 ? rows - 1 : 2 });
  await sessions.resize(id, { cols, rows });
}

interface Watching {
  readonly caller: string;
  readonly signal: AbortSignal;
}

/** Some programs, such as less, throw away keys that come while they redraw. */
async function redrawn(sessions: SessionService, key: number, { caller, signal }: Watching): Promise<void> {
  const wait = { kind: "output", deadlineMs: REDRAW_MS } as const;
  await sessions.turn({ caller, on: { kind: "session", key }, wait, isWatch: true, signal });
}
