/** A session as a tile. Pure. */
import { createHash } from "node:crypto";
import type { Approval } from "../../../service/approvals/approval.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { SessionSummary } from "../../../service/listing/session-summary.ts";
import { describeApproval } from "../../../tools/answer/describe-approval.ts";
import type { SessionCard, ShownApproval } from "../messages.ts";
import { needsPerson, stateText } from "./state-text.ts";

/** `approvals`: all that are open. */
export function cardOf(session: SessionSummary, approvals: readonly Approval[]): SessionCard {
  const { id, place, size, outputBytes, command } = session;
  const hasApproval = approvals.some(({ act }) => act.session === id && (act.place ?? null) === place);
  const shown = size ? `${size.cols}x${size.rows}` : "plain";
  // In this order, V8 needs a third of the memory: a fleet has thousands of them.
  return {
    key: String(keyOf(session)),
    stateText: stateText(session),
    needsPerson: needsPerson(session, hasApproval),
    picture: `${outputBytes}-${shown}${command === null ? "" : "-c"}`,
    ...session,
  };
}

/** A short text that differs if anything visible of a card has changed, except for times that only pass. */
export function faceOf({ ageMs: _age, idleMs: _idle, commandMs: _command, ...face }: SessionCard): string {
  return createHash("sha1").update(JSON.stringify(face)).digest("base64");
}

export function shownApproval(approval: Approval): ShownApproval {
  return { ...approval, description: describeApproval(approval) };
}
