/** What is wrong with a request for approval or a decision. */
import { MAX_APPROVAL_CHARS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { ApprovalState } from "./approval.ts";
import { describeState } from "./describe-state.ts";

export function notFound(number: number): LimpetError {
  return new LimpetError(
    "APPROVAL_NOT_FOUND",
    `Approval ${number} does not exist, or was decided long ago. limpet approvals lists those that are open.`,
  );
}

export function tooLong(chars: number): LimpetError {
  return new LimpetError(
    "POLICY_DENIED",
    `The command has ${chars} characters, more than a person can check (${MAX_APPROVAL_CHARS}). Write it to a file and run the file.`,
  );
}

export function tooMany(open: number): LimpetError {
  return new LimpetError(
    "POLICY_DENIED",
    `${open} requests wait for approval already, so nothing was run. Wait until a person has decided some of them.`,
  );
}

export function alreadyDecided(number: number, state: ApprovalState): LimpetError {
  return new LimpetError(
    "APPROVAL_NOT_FOUND",
    `Approval ${number} ${describeState(state)}. limpet approvals lists those that are open.`,
  );
}

export function notRedeemable(number: number, state: ApprovalState): LimpetError {
  const why = state.kind === "approved" ? "was given for something else" : describeState(state);
  return new LimpetError("APPROVAL_NEEDED", `Approval ${number} ${why}, so nothing was run. Repeat the call.`);
}
