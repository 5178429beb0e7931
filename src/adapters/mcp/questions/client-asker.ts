/**
 * Asks a person for approval through the MCP client.
 *
 * Before the protocol of 2026, the server sends its question during the call. In that of 2026, the call is answered
 * with the question, and the client sends the call again with the answer.
 */
import { inputRequired, inputResponse, type Server } from "@modelcontextprotocol/server";
import { MAX_TIMER_MS } from "../../../base/limits.ts";
import type { Approval, ApprovalScope } from "../../../service/approvals/approval.ts";
import type { ApprovalAnswer, ClientAsker } from "../../../tools/guard/client-asker.ts";
import { type McpRequest, questionsOf } from "./questions-of.ts";

/** The name of the question in the protocol of 2026. */
const QUESTION = "approval";

const CHOICES: readonly (readonly [value: string, title: string, scope: ApprovalScope | undefined])[] = [
  ["once", "Allow once", "once"],
  ["session", "Allow this kind for this session", "session"],
  ["always", "Always allow: add a rule", "rule"],
  ["deny", "Deny", undefined],
];

/** Thrown to answer the call with a question. */
export class QuestionForClient extends Error {
  readonly approval: Approval;

  constructor(approval: Approval) {
    super(`approval ${approval.number} is asked for`);
    this.approval = approval;
  }
}

/** Undefined if the client cannot ask. */
export function clientAsker(server: Server, request: McpRequest): ClientAsker | undefined {
  const { hasForms, isModern } = questionsOf(server, request);
  if (!hasForms) return undefined;
  if (!isModern) return { ask: (approval, signal) => askNow(request, approval, signal) };
  return {
    brought: broughtBy(request),
    ask: async (approval) => {
      throw new QuestionForClient(approval);
    },
  };
}

/** The answer to a call that needs an answer first. */
export async function questionResult({ approval }: QuestionForClient): Promise<ReturnType<typeof inputRequired>> {
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit(await questionOf(approval)) },
    requestState: String(approval.number),
  });
}

/** A client that fails to ask, or is aborted, gives no answer. */
async function askNow(
  request: McpRequest,
  approval: Approval,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  try {
    const params = { ...(await questionOf(approval)), mode: "form" as const };
    const timeout = Math.min(MAX_TIMER_MS, Math.ceil(approval.leftMs) + 1_000);
    const { action, content } = await request.send({ method: "elicitation/create", params }, { signal, timeout });
    return answerOf(action, content);
  } catch {
    return undefined;
  }
}

function broughtBy(request: McpRequest): ClientAsker["brought"] {
  const view = inputResponse(request.inputResponses, QUESTION);
  const number = Number(request.requestState<string>());
  if (view.kind !== "elicit" || !Number.isSafeInteger(number)) return undefined;
  return { number, answer: answerOf(view.action, view.content) };
}

/** Pure. Whatever is not clearly an approval is a denial. */
export function answerOf(action: string, content: Readonly<Record<string, unknown>> | undefined): ApprovalAnswer {
  const { decision, reason } = content ?? {};
  const scope = action === "accept" ? CHOICES.find(([value]) => value === decision)?.[2] : undefined;
  if (scope !== undefined) return { kind: "approve", scope };
  return { kind: "deny", reason: typeof reason === "string" && reason.trim() !== "" ? reason : null };
}

async function questionOf(approval: Approval) {
  // Loaded only here: most calls ask nobody.
  const { describeApproval } = await import("../../../tools/answer/describe-approval.ts");
  const choices = CHOICES.filter(([value]) => value !== "always" || approval.prefixes.length > 0);
  return {
    message: describeApproval(approval),
    requestedSchema: {
      type: "object" as const,
      properties: {
        decision: {
          type: "string" as const,
          title: "Decision",
          oneOf: choices.map(([value, title]) => ({ const: value, title })),
        },
        reason: { type: "string" as const, title: "Reason for a denial" },
      },
      required: ["decision"],
    },
  };
}
