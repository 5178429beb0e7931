/** What an answer says about one session. */
import type { Cursor } from "../../base/cursor.ts";
import type { Exit } from "../../base/exit.ts";
import type { LimitName } from "../../base/session-limits.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { JournalHealth } from "../../journal/disk/journal-health.ts";
import type { FrozenBy } from "../../transport/transport.ts";
import type { Hold } from "../control/hold.ts";
import type { SessionName } from "./session-name.ts";

/** Which session it is, and whether its program has ended. */
export interface SessionIdentity extends SessionName {
  readonly exit: Exit | null;
  /** Its host died before the program ended. Its output is readable; its exit is unknown. */
  readonly lost: boolean;
  /** Whether all its output is on disk; null if it is not stored on disk. */
  readonly journal: JournalHealth | null;
  /** Why limpet closed it without being asked; null if it did not. */
  readonly closed: AutoClose | null;
  /** The size of its terminal; null on pipes. */
  readonly size: TerminalSize | null;
  /** The number of bytes printed so far, which is also the cursor of the end. */
  readonly outputBytes: Cursor;
  /** Input that the program has not read yet; once it has ended, input that it never got. */
  readonly unreadInputBytes: number;
  /** The program has asked its terminal something and got no answer, which it may wait for. */
  readonly asksTerminal: boolean;
  /** Set while a person keeps agents from typing; null otherwise. */
  readonly held: Hold | null;
  /** Set while a person has stopped everything in it: how. Null otherwise. */
  readonly frozen: FrozenBy | null;
}

/** The state of a session. */
export interface SessionState extends SessionIdentity {
  /** It is a shell at its prompt that runs no command. */
  readonly isIdle: boolean;
  /** The name of the program that has the terminal, such as an editor in a shell. Null: the program itself. */
  readonly foreground: string | null;
  readonly waitingFor: "line" | "password" | "key" | "unknown" | null;
}

/** A session whose program runs. */
export interface RunningSession extends SessionName {
  /** It is a shell at its prompt that runs no command. */
  readonly isIdle: boolean;
}

/**
 * Why limpet closed a session that nobody asked it to close. `idle`: no caller had used it for `idleMs`. `left`: a
 * shell that was idle when its client had been gone for a while. `room`: a shell that was idle when its place was
 * needed. `limit`: it reached one of its limits.
 */
export type AutoClose =
  | { readonly reason: "idle"; readonly idleMs: number }
  | { readonly reason: "left" | "room" }
  | { readonly reason: "limit"; readonly limit: LimitName; readonly value: number };
