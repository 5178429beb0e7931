/**
 * A person at a session's terminal: keys go to the program, its output comes to the screen, until the person detaches, the program
 * ends or the host is gone. Any number of people may do that at once; whoever came or resized last sets the size.
 */

import { randomUUID } from "node:crypto";
import { describeExit, type Exit } from "../../base/exit.ts";
import type { SessionKey, SessionName, SessionService } from "../../service/session-service.ts";
import { untilExited } from "../../service/simple-turns.ts";
import { TerminalModeTracker } from "../../session/terminal-mode-tracker.ts";
import { describeName } from "../describe.ts";
import { beforeDetachKey } from "./detach-key.ts";
import { InputPump } from "./input-pump.ts";
import { type Repaint, repaintOf } from "./repaint.ts";
import { BELL } from "./sequences.ts";
import { OwnTerminal, sizeForSession } from "./user-terminal.ts";

export interface AttachOptions {
  /** Only look: nothing is typed, and the size stays. */
  readonly isReadOnly: boolean;
  /** `screen`: what a person would see who had been there all the time. `all`: from the first byte on, below what is there. */
  readonly show: "screen" | "all";
}

const NOTHING: Repaint = { bytes: new Uint8Array(0), cursor: 0 };

/** Why a person is no longer at the session. */
export type AttachEnd = { readonly kind: "detached" } | { readonly kind: "exited"; readonly exit: Exit };

/** For the person, below what is left of the session on the screen. */
export function describeEnd(session: SessionName, end: AttachEnd): string {
  const who = describeName(session);
  return `\r\n[${end.kind === "detached" ? `detached from ${who}, which goes on` : `${who} ${describeExit(end.exit)}`}]`;
}

/** Rejects with `HOST_GONE` when the host is gone. The person's terminal is as it was, whatever happened. */
export async function attachTo(sessions: SessionService, key: SessionKey, options: AttachOptions): Promise<AttachEnd> {
  const { id, size } = await sessions.find(key);
  const caller = `attach ${randomUUID()}`;
  const leaving = new AbortController();
  const { signal } = leaving;
  const pump = new InputPump({
    write: (bytes) => sessions.write(id, bytes, { caller, by: "person" }),
    onRefused: () => terminal.write(BELL),
  });
  const onInput = (bytes: Uint8Array) => {
    const before = beforeDetachKey(bytes);
    if (!options.isReadOnly) pump.push(before ?? bytes);
    if (before) leaving.abort();
  };
  // A program that ends just then has no terminal to resize any more.
  const takeSize = async () => void (await sessions.resize(id, sizeForSession()).catch(() => undefined));
  const setsSize = size !== null && !options.isReadOnly;
  const terminal = OwnTerminal.take({ onInput, onResize: () => void (setsSize && takeSize()) });
  try {
    if (setsSize) await takeSize();
    const { bytes, cursor } = options.show === "all" ? NOTHING : await repaintOf(sessions, id, signal);
    terminal.write(bytes);
    if (setsSize && isFullScreen(bytes)) await redraw(sessions, id);
    const exit = await follow(sessions, id, { terminal, cursor, signal });
    return exit ? { kind: "exited", exit } : { kind: "detached" };
  } catch (error) {
    if (signal.aborted) return { kind: "detached" };
    throw error;
  } finally {
    leaving.abort();
    terminal.giveBack();
  }
}

interface Following {
  readonly terminal: OwnTerminal;
  readonly cursor: number;
  readonly signal: AbortSignal;
}

/** Until the program has ended and all that it printed is shown. Something that it left behind may go on printing. */
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
  // Whatever goes wrong there goes wrong here, too.
  exited.catch(() => done.abort());
  try {
    for await (const page of sessions.output(id, { from: cursor, signal: AbortSignal.any([signal, done.signal]) })) {
      if (page.dropped > 0) terminal.write(`\r\n[limpet: ${page.dropped} bytes came too fast to be shown]\r\n`);
      terminal.write(page.bytes);
      shownTo = page.next;
      stopWhenShown();
    }
  } catch (error) {
    if (!done.signal.aborted) throw error;
  }
  return await exited;
}

function isFullScreen(bytes: Uint8Array): boolean {
  const tracker = new TerminalModeTracker();
  tracker.push(bytes);
  return tracker.isAlternateScreen;
}

/** A program draws its whole screen when the size changes; a size that it has already is no change. */
async function redraw(sessions: SessionService, id: number): Promise<void> {
  const { cols, rows } = sizeForSession();
  await sessions.resize(id, { cols, rows: rows > 1 ? rows - 1 : 2 });
  await sessions.resize(id, { cols, rows });
}
