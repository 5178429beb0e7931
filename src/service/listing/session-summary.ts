/** A session in a list, and which sessions a list contains. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { LimitState } from "../../base/session-limits.ts";
import type { ListeningPort } from "../../linux/files/list-listening.ts";
import type { RecordingState } from "../../record/record-session.ts";
import type { SessionOwner } from "../../session/registry/resolve-session.ts";
import type { RunningProcess } from "../../transport/probe.ts";
import type { SessionName } from "./session-name.ts";
import type { SessionState } from "./session-state.ts";

/** A session in a list. */
export interface SessionSummary extends SessionState {
  /** The command, or the program and its arguments. */
  readonly program: string;
  /** Null if it belongs to nobody in particular. */
  readonly owner: SessionOwner | null;
  /** It belongs to the project of whoever lists it. Missing if the session is in an older host. */
  readonly isOwnProject?: boolean;
  /** Null if it has all rights of the user. */
  readonly sandbox: SandboxRequest | null;
  /** How much it may use, who enforces that, and which limits were reached. Null without limits. */
  readonly limits: LimitState | null;
  /** The command that a shell runs now; null if it runs none. */
  readonly command: string | null;
  /** How long it has been running; null if none runs. */
  readonly commandMs: number | null;
  /** The directory of a shell after its last command; null for other programs. */
  readonly directory: string | null;
  readonly listening: readonly ListeningPort[];
  /** Processes that an ended program left running. */
  readonly left: readonly RunningProcess[];
  readonly ageMs: number;
  /** The time since a caller last used it. */
  readonly idleMs: number;
  /** The last line that is not blank, clean and short. */
  readonly lastLine: string;
  readonly recordings: readonly RecordingState[];
}

/** A session whose program has ended and left processes running. */
export interface SessionLeftovers extends SessionName {
  readonly left: readonly RunningProcess[];
}

/** Which sessions to list. */
export interface ListOptions {
  /** Also those that have ended and left nothing running. */
  readonly ended: boolean;
  /** Also those of other projects. Default false. */
  readonly all?: boolean;
}
