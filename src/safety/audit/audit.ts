/** The record of each act of a caller: who did what, where, and with which result. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";

/** What happened. `ended` follows a `start` or a `run` and names it in `of`. */
type AuditEvent =
  | "start"
  | "run"
  | "typed"
  | "signal"
  | "close"
  | "hold"
  | "release"
  | "freeze"
  | "thaw"
  | "restart"
  | "refused"
  | "approval"
  | "secret"
  | "ended";

/** Who acts, through what, and with whose permission. */
export interface AuditActor {
  readonly caller?: string | undefined;
  /** The connection to the host. */
  readonly client?: string | undefined;
  readonly project?: string | null | undefined;
  /** The tool that the caller has used. */
  readonly tool?: string | undefined;
  /** What the policy said, by which rule, and who approved it. */
  readonly verdict?: AuditVerdict | undefined;
}

interface AuditVerdict {
  readonly decision: string;
  readonly rule?: string | null | undefined;
  readonly approvedBy?: string | null | undefined;
}

/** One act. It never contains output or typed text. */
export interface AuditAct extends AuditActor {
  readonly event: AuditEvent;
  /** Where it happens. Default: on this machine, which is `local`. */
  readonly place?: string | undefined;
  readonly session?: number | undefined;
  /** Names a `start` (`7`) or a command (`7.2`) for the line about its end. */
  readonly act?: string | undefined;
  /** Of `ended`: the act that has ended. */
  readonly of?: string | undefined;
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly sandbox?: SandboxRequest | undefined;
  /** The limits of the session, in words. */
  readonly limits?: string | undefined;
  /** Of `typed`: how many bytes. */
  readonly bytes?: number | undefined;
  readonly signal?: string | undefined;
  /** The name of a secret, a reason that a person gave, the number of an approval. */
  readonly detail?: string | undefined;
  readonly exitCode?: number | null | undefined;
  readonly durationMs?: number | undefined;
}

/** Where acts are recorded. */
export interface Audit {
  /** Call before an act. Rejects with `AUDIT_UNAVAILABLE` if acts must be recorded and cannot be. */
  admit(): Promise<void>;
  /** Records an act, a little later. Never throws. */
  note(act: AuditAct): void;
  /** Call before the answer. If acts must be recorded, resolves when they are; otherwise at once. */
  settled(): Promise<void>;
}

/** Writes nothing. */
export const NO_AUDIT: Audit = {
  admit: async () => undefined,
  note: () => undefined,
  settled: async () => undefined,
};
