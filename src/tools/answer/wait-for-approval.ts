/** Waits until a person has decided about a request for approval. */
import { describeState } from "../../service/approvals/describe-state.ts";
import type { ToolContext, ToolResult } from "../tool.ts";

const NEXT = {
  open: (number: number) => `Keep waiting with wait_for(approval=${number})`,
  approved: () => "Repeat the call now",
  used: () => "The call was already made",
  denied: () => "Do not repeat the call: do it another way, or ask the person",
  expired: () => "Repeat the call only if it is still needed",
  withdrawn: () => "Repeat the call only if it is still needed",
} as const;

export async function waitForApproval(
  number: number,
  deadlineMs: number,
  { sessions, caller, signal, longestWaitMs = Number.POSITIVE_INFINITY }: ToolContext,
): Promise<Omit<ToolResult, "isError">> {
  const { state } = await sessions.approvals.wait({
    caller,
    number,
    deadlineMs: Math.min(deadlineMs, longestWaitMs),
    ...(signal ? { signal } : {}),
  });
  return {
    text: `Approval ${number} ${describeState(state)}. ${NEXT[state.kind](number)}.`,
    structured: { approval: number, decision: state.kind },
  };
}
