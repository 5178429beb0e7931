/** How a person can be asked through the program that calls the tools: an MCP client, or your own code. */
import type { Approval, ApprovalScope } from "../../service/approvals/approval.ts";

/** What a person answers. */
export type ApprovalAnswer =
  | { readonly kind: "approve"; readonly scope: ApprovalScope }
  | { readonly kind: "deny"; readonly reason?: string | null };

export interface ClientAsker {
  /** The answer to a question that an earlier call of the client was given, if this call brings one. */
  readonly brought?: { readonly number: number; readonly answer: ApprovalAnswer } | undefined;
  /** Undefined if the person could not be asked. The signal ends the question: somebody else has decided. */
  ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer | undefined>;
}
