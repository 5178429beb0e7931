/** The outcome of a request for approval, in a few words. Pure. */
import { quoteLine } from "../../text/clean/quote-line.ts";
import type { ApprovalDecision, ApprovalState } from "./approval.ts";

/** After "Approval 3". */
export function describeState(state: ApprovalState): string {
  switch (state.kind) {
    case "open":
      return "is open";
    case "approved":
      return `was approved by ${state.by}${state.scope === "once" ? "" : state.scope === "rule" ? " with a new rule" : " for this session"}`;
    case "used":
      return `was approved by ${state.by} and has been used`;
    case "denied":
      return `was denied by ${state.by}${state.reason === null ? "" : `: ${quoteLine(state.reason)}`}`;
    case "expired":
      return "was not decided or not used in time";
    case "withdrawn":
      return "was withdrawn, because its call was cancelled";
  }
}

/** Whether this decision has been made already. */
export function isAnswered(state: ApprovalState, decision: ApprovalDecision): boolean {
  if (decision.kind === "deny") return state.kind === "denied";
  return (state.kind === "approved" || state.kind === "used") && state.scope === decision.scope;
}
