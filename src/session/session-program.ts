/** What identifies a session. Only its name may change while it runs. */
import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { SessionLimits } from "../base/session-limits.ts";
import type { SessionOwner } from "./registry/resolve-session.ts";

/** The id of a session and what it was started with. */
export interface SessionProgram {
  /** A positive integer, never reused in this process. */
  readonly id: number;
  readonly name: string | undefined;
  /** Undefined: the session has no owner. */
  readonly owner: SessionOwner | undefined;
  /** As passed by the caller; the shell if a `command` was passed. */
  readonly program: string;
  readonly args: readonly string[];
  /** The directory in which the program started. The program may have changed it since. */
  readonly cwd: string;
  /** False: pipes instead of a terminal. */
  readonly tty: boolean;
  /** Undefined: it has all rights of the user. */
  readonly sandbox?: SandboxRequest | undefined;
  /** How much its programs may use. Undefined: no limits. */
  readonly limits?: SessionLimits | undefined;
  /** The variables that were given the value of a secret, and the names of the secrets. Undefined: none. */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined;
}

/** The facts of a session that never change. */
export interface SessionFacts extends SessionProgram {
  readonly startedAt: number;
  readonly isLost: boolean;
}
