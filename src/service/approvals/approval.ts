/** Requests for a person's approval, as plain data, and all that can be asked about them. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionKey } from "../listing/session-name.ts";

/** What an agent wants to do. */
export interface ApprovalAct {
  /** `command`: run by a shell. `program`: started without one. `input`: typed into a running program. */
  readonly kind: "command" | "program" | "input";
  /** All of it: the command, the program and its arguments, or what is typed. */
  readonly text: string;
  /** The shell, the program to start, or the program that reads the input. */
  readonly program: string;
  /** The session that it goes to; null for a new one. */
  readonly session: number | null;
  /** The place where it happens. Default: here. */
  readonly place?: string | undefined;
  /** Null if it is not known. */
  readonly directory: string | null;
  /** Variables that the agent sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Null if it has all rights of the user. */
  readonly sandbox: SandboxRequest | null;
}

/** Why a person is asked. */
export interface ApprovalReason {
  /** For people: the rule, and the part of the command that it is about. */
  readonly text: string;
  /** Equal for acts that an approval for the whole session covers as well. */
  readonly topic: string;
}

/** A request for approval. */
export interface ApprovalAsk {
  readonly caller: string;
  /** Unique per caller. The same request gets the same approval again. */
  readonly requestId: string;
  /** The name of the agent's client; null if it is not known. */
  readonly client: string | null;
  readonly tool: string;
  readonly act: ApprovalAct;
  readonly reasons: readonly ApprovalReason[];
  /** The prefixes that a new rule would allow. Empty: no rule can express it. */
  readonly prefixes: readonly (readonly string[])[];
  /** After this time without a decision it is denied. */
  readonly timeoutMs: number;
  /**
   * `shared`: joins an equal request of the caller that is open, or takes its decision. `own`: a new one, because its
   * client asks the person itself.
   */
  readonly mode: "shared" | "own";
}

/** `once`: for one call. `session`: also for later ones of the same kind. `rule`: there is a new rule for it, too. */
export type ApprovalScope = "once" | "session" | "rule";

/** What a person decides. */
export type ApprovalDecision =
  | { readonly kind: "approve"; readonly scope: ApprovalScope; readonly by: string }
  | { readonly kind: "deny"; readonly reason: string | null; readonly by: string };

/** `used`: it was approved, and its one call was made. `withdrawn`: the call was cancelled. */
export type ApprovalState =
  | { readonly kind: "open" }
  | { readonly kind: "approved" | "used"; readonly scope: ApprovalScope; readonly by: string }
  | { readonly kind: "denied"; readonly reason: string | null; readonly by: string }
  | { readonly kind: "expired" | "withdrawn" };

/** A request for approval and its outcome. */
export interface Approval extends Omit<ApprovalAsk, "mode" | "requestId"> {
  /** Never used again, not even by a later host. */
  readonly number: number;
  readonly project: string | null;
  readonly state: ApprovalState;
  readonly ageMs: number;
  /** Until it is denied; 0 if it is not open. */
  readonly leftMs: number;
}

/** Which approval to wait for. */
export interface ApprovalWait {
  readonly caller: string;
  readonly number: number;
  /** Returns the open approval after this time. Default: waits until it is decided. */
  readonly deadlineMs?: number | undefined;
  /** Ends the wait only. */
  readonly signal?: AbortSignal | undefined;
}

/** Where an act would happen: a command for a shell, or input for a session. */
interface ActPlace {
  readonly caller: string;
  readonly to: "shell" | "session";
  readonly key: SessionKey;
}

/** Facts about a running session, by which an act in it is judged. */
export interface ActFacts {
  readonly session: number;
  /** The name of the program that reads what is typed. */
  readonly reader: string;
  /** The reader is a shell that was started as the program of the session; its path. Null otherwise. */
  readonly shell: string | null;
  readonly directory: string | null;
  readonly sandbox: SandboxRequest | null;
  /** It was given commands or input before. */
  readonly isShared: boolean;
  /** Aliases and functions that these may have defined; `any` if that cannot be known. */
  readonly definedNames: readonly string[] | "any";
}

/** The approvals of the process that owns the sessions. */
export interface ApprovalService {
  /** Facts about the session that an act would go to; null if it would start one. */
  facts(place: ActPlace): Promise<ActFacts | null>;
  /** Asks for approval, and returns at once. Asking again with the same `requestId` returns the same approval. */
  ask(ask: ApprovalAsk): Promise<Approval>;
  /** Open requests of the project, oldest first; of all projects for a person. */
  list(): Promise<readonly Approval[]>;
  /** The first decision counts. Rejects with `APPROVAL_NOT_FOUND` if the request is no longer open. */
  decide(number: number, decision: ApprovalDecision): Promise<Approval>;
  /** Waits for the decision. Rejects with `APPROVAL_NOT_FOUND` if the caller has no such request. */
  wait(wait: ApprovalWait): Promise<Approval>;
  /** The call was cancelled: nobody needs to decide. Does nothing if it was decided. */
  withdraw(of: { readonly caller: string; readonly number: number }): Promise<void>;
}
