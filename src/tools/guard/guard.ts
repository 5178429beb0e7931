/** Decides whether a turn of an agent may run, before it does anything. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import type { TurnVerdict } from "../../service/turn/turn-verdict.ts";

/** A turn that may need a verdict. */
export type GuardedTurn = Omit<TurnRequest, "caller" | "signal" | "verdict">;

/** The part of a tool's context that decides. */
export interface GuardContext {
  readonly sessions: SessionService;
  readonly caller: string;
  readonly signal?: AbortSignal | undefined;
  readonly within?: SandboxRequest | undefined;
  readonly tool?: string | undefined;
}

/**
 * Resolves with the verdict, undefined if no policy applies. Rejects with `POLICY_DENIED` or `APPROVAL_NEEDED`: then
 * the turn must not run.
 */
export type Guard = (turn: GuardedTurn, context: GuardContext) => Promise<TurnVerdict | undefined>;
