/** What the page and the server say to each other, as plain data. The page imports only types from here. */
import type { Exit } from "../../base/exit.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Approval } from "../../service/approvals/approval.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import type { LoggedCommand } from "../../session/command-log.ts";
import type { Right } from "../server/route.ts";

/** The answer to `GET /api/me`. */
export interface Me {
  readonly right: Right;
  /** The one session that a shared link is for; null: all. */
  readonly session: string | null;
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
  /** Changes whenever its picture does: `GET /api/sessions/:id/picture?v=…`. */
  readonly picture: string;
}

/**
 * `GET /api/events?terminal=KEY` is the one stream of a page. Event names are these keys. An event without a change is
 * never sent. `sessions` is complete in the first event of a stream that could not be resumed, and then only changes.
 */
export interface PageEvents {
  readonly sessions: {
    readonly isAll: boolean;
    readonly cards: readonly SessionCard[];
    readonly gone: readonly string[];
  };
  readonly approvals: readonly Approval[];
  /** Places that did not answer. */
  readonly silent: readonly { readonly place: string; readonly reason: string }[];
  /** The screen that a terminal begins with: bytes (base64) that draw it in an empty terminal of that size. */
  readonly screen: {
    readonly key: string;
    readonly size: TerminalSize;
    readonly bytes: string;
    readonly cursor: number;
  };
  /** What follows it. `dropped`: bytes before this that were lost; a new `screen` follows. */
  readonly output: { readonly key: string; readonly bytes: string; readonly cursor: number; readonly dropped: number };
  readonly size: { readonly key: string; readonly size: TerminalSize };
  readonly command: { readonly key: string; readonly command: LoggedCommand };
  readonly ended: { readonly key: string; readonly exit: Exit | null };
}

/** `POST /api/sessions/:id/input`. */
export type InputMessage =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "keys"; readonly keys: readonly string[] };

/** Every error is answered as this, with a fitting status. */
export interface ErrorMessage {
  readonly error: { readonly code: string; readonly message: string };
}
