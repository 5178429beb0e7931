/**
 * The guard of an agent's turns: builds what the turn is about to do, asks the policy, and on `ask` a person. Nothing
 * is run meanwhile. The approval travels with the turn, which uses it up.
 */
import { APPROVAL_TIMEOUT_MS } from "../../base/limits.ts";
import type { Act } from "../../safety/policy/act.ts";
import type { Policy } from "../../safety/policy/policy.ts";
import { type Verdict, verdictOf } from "../../safety/policy/verdict.ts";
import type { ApprovalAsk } from "../../service/approvals/approval.ts";
import { askThroughClient, type RuleFile } from "./ask-through-client.ts";
import type { ClientAsker } from "./client-asker.ts";
import type { Guard, GuardContext } from "./guard.ts";
import { approvalNeeded, notApproved, policyDenied } from "./guard-errors.ts";
import { isAct, type PlannedAct, planActs } from "./plan-acts.ts";
import { prefixesOf, reasonsOf } from "./reasons-of.ts";

/** What a policy says about an act. */
export type Judge = (act: Act, policy: Policy) => Verdict | Promise<Verdict>;

export interface GuardOptions {
  /** Read before each act, because a person may change it. Throws `BAD_POLICY`: then nothing runs. */
  readonly policy: () => Policy | Promise<Policy>;
  readonly judge: Judge;
  /** The name of the agent's client, as a person knows it. */
  readonly client?: (() => string | undefined) | undefined;
  /** Undefined: the person cannot be asked through the client. */
  readonly asker?: ClientAsker | undefined;
  /** People can decide with the command line, because the sessions live in a host. */
  readonly hasPeople: boolean;
  /** The machine on which they do. Default: this one. */
  readonly at?: string | undefined;
  /** The agent has `wait_for`. */
  readonly canWait: boolean;
  /** An approval without a decision is denied after this time. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** Where permanent decisions of a person are stored. Undefined: nowhere. */
  readonly ruleFile?: RuleFile | undefined;
}

export function createGuard(options: GuardOptions): Guard {
  return async (turn, context) => {
    if (!isAct(turn)) return undefined;
    const policy = await options.policy();
    if (policy.layers.length === 0) return undefined;
    const planned = await planActs(turn, context);
    const [first] = planned;
    if (!first) return undefined;
    const verdicts = await Promise.all(planned.map(({ act }) => options.judge(act, policy)));
    const verdict = verdictOf(verdicts.flatMap(({ reasons }) => reasons));
    const rule = verdict.reasons[0]?.rule ?? null;
    if (verdict.decision === "deny") throw policyDenied(verdict);
    if (verdict.decision === "allow") return { decision: "allow", rule, approvedBy: null, approval: null };
    const { number, by } = await approved(first, verdict, context, options);
    return { decision: "ask", rule, approvedBy: by, approval: number };
  };
}

interface Granted {
  readonly number: number;
  readonly by: string;
}

async function approved(
  { shown }: PlannedAct,
  verdict: Verdict,
  context: GuardContext,
  options: GuardOptions,
): Promise<Granted> {
  const { asker, hasPeople, at, canWait, timeoutMs = APPROVAL_TIMEOUT_MS } = options;
  const ask: ApprovalAsk = {
    caller: context.caller,
    requestId: crypto.randomUUID(),
    client: options.client?.() ?? null,
    tool: context.tool ?? "tool",
    act: shown,
    reasons: reasonsOf(verdict, shown),
    prefixes: options.ruleFile ? prefixesOf(verdict, options.ruleFile.path) : [],
    timeoutMs,
    mode: asker ? "own" : "shared",
  };
  const settled = asker ? await askThroughClient(ask, asker, context, options) : undefined;
  const approval =
    settled ?? (await context.sessions.approvals.ask({ ...ask, requestId: crypto.randomUUID(), mode: "shared" }));
  const { state, number } = approval;
  if (state.kind === "approved") return { number, by: state.by };
  if (state.kind !== "open") throw notApproved(approval);
  throw approvalNeeded(approval, { hasPeople, at, canWait, couldAsk: asker !== undefined });
}
