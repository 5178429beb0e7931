/** Asks a person through the client, while others can decide as well. The first decision counts. */
import { onAbort } from "../../base/async/on-abort.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Approval, ApprovalAsk } from "../../service/approvals/approval.ts";
import { fingerprintOf } from "../../service/approvals/same-act.ts";
import type { ApprovalAnswer, ClientAsker } from "./client-asker.ts";
import type { GuardContext } from "./guard.ts";

/** The file of the person's own rules. */
export interface RuleFile {
  readonly path: string;
  /** Adds rules that allow commands that begin with these words. */
  allow(prefixes: Approval["prefixes"]): Promise<void>;
}

interface Asking {
  readonly client?: (() => string | undefined) | undefined;
  readonly ruleFile?: RuleFile | undefined;
}

/** Undefined if the client cannot ask. */
export async function askThroughClient(
  ask: ApprovalAsk,
  asker: ClientAsker,
  context: GuardContext,
  options: Asking,
): Promise<Approval | undefined> {
  const { sessions, caller, signal } = context;
  const { approvals } = sessions;
  const brought = await broughtFor(ask, asker, context);
  const approval = brought?.approval ?? (await approvals.ask(ask));
  if (approval.state.kind !== "open") return approval;
  const { number } = approval;
  try {
    const answer = brought?.answer ?? (await answerOf(approval, asker, context));
    if (answer === undefined) {
      const latest = await approvals.wait({ caller, number, deadlineMs: 0 });
      if (latest.state.kind !== "open") return latest;
      await approvals.withdraw({ caller, number });
      return undefined;
    }
    return await decide(approval, answer, context, options);
  } catch (error) {
    // Cancelled, or asking failed: no request may stay open that no call waits for. Other errors say that the client
    // will ask, and call again.
    const isOver = signal?.aborted || error instanceof LimpetError;
    if (isOver) void approvals.withdraw({ caller, number }).catch(() => undefined);
    throw error;
  }
}

/** An answer that came with the call, if it is about the same act. */
async function broughtFor(ask: ApprovalAsk, { brought }: ClientAsker, { sessions, caller }: GuardContext) {
  if (!brought) return undefined;
  const { number, answer } = brought;
  const approval = await sessions.approvals.wait({ caller, number, deadlineMs: 0 }).catch(onlyUnknown);
  // Without the text, in which secrets may be masked. The turn compares it with what was approved.
  const [one, other] = [approval, ask].map((each) => each && fingerprintOf({ ...each.act, text: "" }));
  return approval && one === other ? { approval, answer } : undefined;
}

/** Undefined if the client could not ask, or somebody else decided first. */
async function answerOf(
  approval: Approval,
  asker: ClientAsker,
  { sessions, caller, signal }: GuardContext,
): Promise<ApprovalAnswer | undefined> {
  const stop = new AbortController();
  const forget = onAbort(signal, () => stop.abort(signal?.reason));
  const elsewhere = sessions.approvals
    .wait({ caller, number: approval.number, signal: stop.signal })
    .then(() => undefined);
  elsewhere.catch(() => undefined);
  try {
    const answer = await Promise.race([asker.ask(approval, stop.signal), elsewhere]);
    signal?.throwIfAborted();
    return answer;
  } finally {
    forget();
    stop.abort();
  }
}

async function decide(
  approval: Approval,
  answer: ApprovalAnswer,
  { sessions, caller }: GuardContext,
  { client, ruleFile }: Asking,
): Promise<Approval | undefined> {
  const { number, prefixes } = approval;
  const by = `a person in ${client?.() ?? "the client"}`;
  const decision =
    answer.kind === "approve" ? { ...answer, by } : { kind: "deny" as const, reason: answer.reason ?? null, by };
  try {
    const decided = await sessions.approvals.decide(number, decision);
    if (answer.kind === "approve" && answer.scope === "rule") await ruleFile?.allow(prefixes);
    return decided;
  } catch (error) {
    if (!(error instanceof LimpetError)) throw error;
    // Somebody else has decided meanwhile, or its time is over.
    if (error.code === "APPROVAL_NOT_FOUND") return await sessions.approvals.wait({ caller, number, deadlineMs: 0 });
    if (error.code !== "APPROVAL_REFUSED") throw error;
    await sessions.approvals.withdraw({ caller, number });
    return undefined;
  }
}

function onlyUnknown(error: unknown): undefined {
  if (!(error instanceof LimpetError) || error.code !== "APPROVAL_NOT_FOUND") throw error;
  return undefined;
}
