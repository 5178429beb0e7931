/** The messages between page and server, as plain data. The page imports only types from here. */
import type { Exit } from "../../base/exit.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { PlayerContent } from "../../screen/picture/player/player-data.ts";
import type { Approval, ApprovalScope } from "../../service/approvals/approval.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import type { SilentPlace } from "../../service/listing/silent-place.ts";
import type { UsingProcess } from "../../service/listing/using-process.ts";
import type { PasswordPrompt } from "../../service/secrets/prompt.ts";
import type { LoggedCommand } from "../../session/command-log.ts";
import type { GrepResult } from "../../text/search/grep.ts";
import type { Right } from "../server/route.ts";

/** The answer to `GET /api/me`: who the visitor is. */
export interface Me {
  /** The name under which it reads and types. */
  readonly caller: string;
  readonly right: Right;
  readonly isPerson: boolean;
  /** The one session that a shared link is for; null: all. */
  readonly session: string | null;
  /**
   * It may only answer the password prompt of that session; its stream has the card of the session, and no terminal.
   */
  readonly isPromptOnly: boolean;
  readonly machine: string;
  readonly version: string;
}

/** A session as a tile. */
export interface SessionCard extends SessionSummary {
  /** As people type it, and as it appears in addresses: `7` or `build/7`. */
  readonly key: string;
  /** A few words, such as "waits for a password", "idle", "running 3 min". */
  readonly stateText: string;
  /** It waits for a person: a password, an approval, a question. */
  readonly needsPerson: boolean;
  /** Changes whenever its picture may: `GET /api/sessions/:id/picture?v=…`. */
  readonly picture: string;
}

/** A request for approval, and what `limpet approvals` prints about it. */
export interface ShownApproval extends Approval {
  /** Several lines, in which nothing that the agent chose can hide or pass for limpet's own words. */
  readonly description: string;
}

/**
 * `GET /api/events?terminal=KEY` is the one stream of a page; `GET /api/sessions/:id/events?terminal=KEY` is that of a
 * page that sees one session, and has no approvals. Event names are these keys.
 *
 * A reader that reconnects with the id of the last event that it received (`Last-Event-ID`, or `?after=` for a page
 * that reopens the stream) continues there: with what has changed since, and with the output from exactly that byte. If
 * that is too long ago, or another server answers, the stream starts over: `sessions` with `isAll`, and a `screen`.
 */
export interface PageEvents {
  /** With `isAll` every session; otherwise those that have changed, and the keys of those that are gone. */
  readonly sessions: {
    readonly isAll: boolean;
    readonly cards: readonly SessionCard[];
    readonly gone: readonly string[];
  };
  /** All that are open. */
  readonly approvals: readonly ShownApproval[];
  /** All places that do not answer. */
  readonly silent: readonly SilentPlace[];
  /** Whether the host answers; if not, why. The server keeps trying. */
  readonly host: { readonly isUp: boolean; readonly problem: string | null };
  /**
   * The terminal starts over, empty, with this size, and draws these bytes (base64). `cursor`: what follows begins
   * there. `isPlain`: the session has no terminal, so the page chooses size and wrapping.
   */
  readonly screen: {
    readonly key: string;
    readonly size: TerminalSize;
    readonly bytes: string;
    readonly cursor: number;
    readonly isPlain: boolean;
  };
  /**
   * What follows: bytes (base64) of UTF-8 that only draw, ring the bell, or decide what keys send. They have the lines
   * of agents' commands in them. `dropped`: output before this that is skipped; a new `screen` follows.
   */
  readonly output: { readonly key: string; readonly bytes: string; readonly cursor: number; readonly dropped: number };
  readonly size: { readonly key: string; readonly size: TerminalSize };
  /** A command of an agent started (`to` is null) or finished. */
  readonly command: { readonly key: string; readonly command: LoggedCommand };
  /** Nothing follows: its program has ended (`exit`), was lost with its host, or the session was closed (both null). */
  readonly ended: { readonly key: string; readonly exit: Exit | null; readonly isLost: boolean };
}

/**
 * `POST /api/sessions/:id/input`. A paste is put between marks if the program asked for that. Keys: `Ctrl+C`, `Up`, …
 */
export type InputMessage =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "keys"; readonly keys: readonly string[] };

/**
 * `POST /api/sessions/:id/resize`: gives the session a size while this page watches, only at the person's explicit
 * request; null takes it back. `viewer`: any text that is unique per page, the same as in `GET /api/events?viewer=`;
 * when that stream has ended, the size is taken back.
 */
export interface ResizeMessage {
  readonly viewer: string;
  readonly size: TerminalSize | null;
}

/** `POST /api/sessions/:id/hold`: keeps agents from typing. Everybody sees the reason. */
export interface HoldMessage {
  readonly reason: string | null;
}

/** `POST /api/sessions/:id/release`: agents can type again. The next answer to each of them has the note. */
export interface ReleaseMessage {
  readonly note: string | null;
}

/** `POST /api/sessions/:id/signal`. Default: to the foreground program. */
export interface SignalMessage {
  readonly signal: string;
  readonly to?: "foreground" | "program" | "tree";
}

/** `POST /api/sessions/:id/close`. `keepOutput` (default true): its output stays readable. */
export interface CloseMessage {
  readonly force?: boolean;
  readonly keepOutput?: boolean;
}

/**
 * `POST /api/sessions/:id/rename`. `freeze`, `thaw` and `restart` have no body. `restart` answers `{ key }` of the new
 * one.
 */
export interface RenameMessage {
  readonly name: string;
}

/** `GET /api/sessions/:id/history`: oldest first. */
export interface HistoryAnswer {
  readonly commands: readonly LoggedCommand[];
}

/** `GET /api/sessions/:id/output?from=&to=`: clean text, as much as fits. `next` < `to`: ask again from there. */
export interface OutputAnswer {
  readonly text: string;
  readonly from: number;
  readonly next: number;
  /** Bytes from `from` on that were dropped. */
  readonly dropped: number;
}

/** `GET /api/sessions/:id/search?q=` (plain text, any case; `&pattern=1`: a regular expression). */
export type SearchAnswer = GrepResult;

/** A recording of a session. */
export interface RecordingEntry {
  /** For `?recording=`. */
  readonly id: string;
  /** Its file, for people. */
  readonly file: string;
  readonly bytes: number;
  readonly isRunning: boolean;
  /** Why it failed; null if it did not. */
  readonly problem: string | null;
}

/** `GET /api/sessions/:id/details`. */
export interface SessionDetails {
  readonly card: SessionCard;
  /** The program and what it started; null if that is not known. */
  readonly processes: readonly UsingProcess[] | null;
  readonly recordings: readonly RecordingEntry[];
}

/**
 * `POST /api/sessions/:id/recording` starts one (`from`: default `start`) and answers its `RecordingEntry`.
 * `POST /api/sessions/:id/recording/stop` with `{ recording: ID }`, or `{}` for all.
 * `GET /api/sessions/:id/recording?recording=ID` answers `PlayerContent`; `…/recording/file?recording=ID` the file.
 */
export interface RecordMessage {
  readonly from?: "start" | "now";
}

/** A recording, ready to be played: `rows` and `shapes` are SVG of ours in which all text of programs is escaped. */
export interface PlayerAnswer extends PlayerContent {
  readonly title: string;
}

/** `GET /api/approvals` answers these. */
export interface ApprovalsAnswer {
  readonly approvals: readonly ShownApproval[];
}

/** `POST /api/approvals/:number`. `rule` also adds a rule to `policy.json`. The reason is shown to the agent. */
export type DecideMessage =
  | { readonly kind: "approve"; readonly scope: ApprovalScope }
  | { readonly kind: "deny"; readonly reason: string | null };

/** `GET /api/sessions/:id/prompt`. Null: it does not wait for a password. */
export interface PromptAnswer {
  readonly prompt: PasswordPrompt | null;
}

/** `POST /api/sessions/:id/prompt`: types the value and Enter at that prompt, or fails with `PROMPT_CHANGED`. */
export interface PromptMessage {
  readonly token: string;
  readonly value: string;
}

/** The body of every error, which has a matching HTTP status. */
export interface ErrorMessage {
  readonly error: { readonly code: string; readonly message: string };
}
