/** Requests of agents for approval, and a person's decisions. */
import { z } from "zod";
import { LimpetError } from "../../../base/limpet-error.ts";
import type { Approval, ApprovalDecision } from "../../../service/approvals/approval.ts";
import type { Route, WebRequest } from "../../server/route.ts";
import type { ApiParts } from "../api-parts.ts";
import { shownApproval } from "../cards/card-of.ts";
import type { ApprovalsAnswer, DecideMessage } from "../messages.ts";
import { bodyOf } from "../read-request.ts";

const MAX_REASON_CHARS = 2_000;

const decide: z.ZodType<DecideMessage> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approve"), scope: z.enum(["once", "session", "rule"]) }),
  z.strictObject({ kind: z.literal("deny"), reason: z.string().max(MAX_REASON_CHARS).nullable() }),
]);

export function approvalRoutes(parts: ApiParts): readonly Route[] {
  const { sessions, watch } = parts;
  return [
    {
      method: "GET",
      path: "/api/approvals",
      right: "view",
      answer: async () => {
        const approvals = (await sessions.approvals.list()).map(shownApproval);
        return { kind: "json", value: { approvals } satisfies ApprovalsAnswer };
      },
    },
    {
      method: "POST",
      path: "/api/approvals/:number",
      right: "control",
      isForPeople: true,
      answer: async (request) => {
        const decided = await decideOn(parts, numberOf(request), bodyOf(request, decide), request.visitor.caller);
        watch.poke();
        return { kind: "json", value: shownApproval(decided) };
      },
    },
  ];
}

async function decideOn(
  { sessions: { approvals }, ruleFile }: ApiParts,
  number: number,
  message: DecideMessage,
  by: string,
): Promise<Approval> {
  const isRule = message.kind === "approve" && message.scope === "rule";
  // Before the decision, which cannot be taken back.
  if (isRule) {
    const open = (await approvals.list()).find((each) => each.number === number);
    if (!ruleFile || open?.prefixes.length === 0) throw noRule(number);
  }
  const decided = await approvals.decide(number, { ...message, by } as ApprovalDecision);
  if (isRule) await ruleFile?.allow(decided.prefixes);
  return decided;
}

function numberOf({ params }: WebRequest): number {
  const { number = "" } = params;
  if (!/^\d{1,15}$/.test(number)) {
    throw new LimpetError("APPROVAL_NOT_FOUND", `There is no approval ${JSON.stringify(number)}. Reload the page.`);
  }
  return Number(number);
}

function noRule(number: number): LimpetError {
  return new LimpetError(
    "BAD_OPTION",
    `A prefix rule cannot allow approval ${number}. Approve it once or for the session, or edit policy.json.`,
  );
}
