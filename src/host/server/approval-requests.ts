/** The requests about approvals: for each method, the schema of its params and the call that serves it. */
import { z } from "zod";
import { MAX_APPROVAL_CHARS, MAX_TIMER_MS } from "../../base/limits.ts";
import type { ApprovalAsk, ApprovalDecision, ApprovalService } from "../../service/approvals/approval.ts";
import { sandbox } from "../sandbox-schema.ts";
import { defineRequest, type Request } from "./define-request.ts";
import { caller, env, key, requestId } from "./turn-schema.ts";

const MAX_REASONS = 256;
const MAX_REASON_CHARS = 8_192;
const number = z.int().min(1);
const by = z.string().min(1).max(256);
const words = z.string().max(MAX_APPROVAL_CHARS);

const ask = z.strictObject({
  caller,
  requestId,
  client: by.nullable(),
  tool: by,
  act: z.strictObject({
    kind: z.enum(["command", "program", "input"]),
    text: z.string(),
    program: words,
    session: number.nullable(),
    place: by.optional(),
    directory: words.nullable(),
    env,
    sandbox: sandbox.nullable(),
  }),
  reasons: z
    .array(z.strictObject({ text: z.string().max(MAX_REASON_CHARS), topic: z.string().max(MAX_REASON_CHARS) }))
    .max(MAX_REASONS),
  prefixes: z.array(z.array(words)).max(MAX_REASONS),
  timeoutMs: z.number().min(0).max(MAX_TIMER_MS),
  mode: z.enum(["shared", "own"]),
}) satisfies z.ZodType<ApprovalAsk>;

const decision = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approve"), scope: z.enum(["once", "session", "rule"]), by }),
  z.strictObject({ kind: z.literal("deny"), reason: z.string().max(MAX_REASON_CHARS).nullable(), by }),
]) satisfies z.ZodType<ApprovalDecision>;

const wait = z.strictObject({
  caller,
  number,
  deadlineMs: z.number().min(0).max(MAX_TIMER_MS).optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

/** All methods of `ApprovalService`, each as `approvals.NAME`. A missing method does not compile. */
export const APPROVAL_REQUESTS: Readonly<Record<`approvals.${keyof ApprovalService}`, Request>> = {
  "approvals.facts": defineRequest(
    "answer",
    z.strictObject({ caller, to: z.enum(["shell", "session"]), key }),
    ({ approvals }, place) => approvals.facts(place),
  ),
  "approvals.ask": defineRequest("answer", ask, ({ approvals }, asked) => approvals.ask(asked)),
  "approvals.list": defineRequest("answer", z.strictObject({}), ({ approvals }) => approvals.list()),
  "approvals.decide": defineRequest("answer", z.strictObject({ number, decision }), ({ approvals }, given) =>
    approvals.decide(given.number, given.decision),
  ),
  "approvals.wait": defineRequest("answer", wait, ({ approvals }, asked) => approvals.wait(asked)),
  "approvals.withdraw": defineRequest("answer", z.strictObject({ caller, number }), ({ approvals }, of) =>
    approvals.withdraw(of),
  ),
};
