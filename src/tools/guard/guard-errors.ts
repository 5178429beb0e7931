/** The errors of a call that may not run. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { Verdict } from "../../safety/policy/verdict.ts";
import type { Approval } from "../../service/approvals/approval.ts";
import { describeState } from "../../service/approvals/describe-state.ts";
import { describeReason } from "./reasons-of.ts";

export function policyDenied({ reasons }: Verdict): LimpetError {
  const [reason] = reasons;
  const why = reason ? describeReason(reason) : "a rule denies it";
  return new LimpetError(
    "POLICY_DENIED",
    `The policy denies this, so nothing was run: ${why}. Do it another way, or ask the person to change the rule.`,
  );
}

/** It was denied, or nobody decided in time. */
export function notApproved({ state, number }: Approval): LimpetError {
  return new LimpetError(
    "POLICY_DENIED",
    `Approval ${number} ${describeState(state)}, so nothing was run. Do not repeat the call; do it another way, or ask the person.`,
  );
}

interface Ways {
  /** People can decide with the command line. */
  readonly hasPeople: boolean;
  /** The client can ask, and has failed. */
  readonly couldAsk: boolean;
  /** The agent has a tool that waits for the decision. */
  readonly canWait: boolean;
  /** The machine on which people decide. Default: this one. */
  readonly at?: string | undefined;
}

export function approvalNeeded({ number, reasons }: Approval, { hasPeople, couldAsk, canWait, at }: Ways): LimpetError {
  const why = reasons[0]?.text ?? "a rule asks for it";
  if (hasPeople) {
    const wait = canWait ? `, wait with wait_for(approval=${number})` : "";
    const where = at === undefined ? "" : ` on ${at}`;
    return new LimpetError(
      "APPROVAL_NEEDED",
      `Nothing was run: a person must approve it first: ${why}. Tell the person to run "limpet approve ${number}"${where}${wait}, then repeat this call.`,
    );
  }
  const cannot = couldAsk ? "the client did not ask the person" : "this client cannot ask a person";
  return new LimpetError(
    "APPROVAL_NEEDED",
    `Nothing was run: a person must approve it first, but ${cannot}, and the sessions are not in a host, where a person could approve it: ${why}. Ask the person to allow it in policy.json.`,
  );
}
