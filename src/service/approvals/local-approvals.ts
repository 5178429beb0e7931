/** The approvals of sessions in this process, for one client. */
import type { AuditAct } from "../../safety/audit/audit.ts";
import { isInView, type Scope } from "../../session/registry/resolve-session.ts";
import type { Session } from "../../session/session.ts";
import type { AuditTrail } from "../audit-trail.ts";
import type { SessionKey } from "../listing/session-name.ts";
import type { Asker } from "../owners/asker.ts";
import type { Shells } from "../shells/shells.ts";
import { actFacts } from "./act-facts.ts";
import type { Approval, ApprovalDecision, ApprovalService } from "./approval.ts";
import type { Approvals } from "./approvals.ts";
import type { DefinedNames } from "./defined-names.ts";

interface LocalParts {
  readonly shared: {
    readonly approvals: Approvals;
    readonly defined: DefinedNames;
    readonly shells: Shells;
    readonly trail: AuditTrail;
  };
  readonly scope: Scope;
  readonly askerOf: (caller: string) => Asker;
  readonly find: (key: SessionKey) => Session;
}

export function localApprovals({ shared, scope, askerOf, find }: LocalParts): ApprovalService {
  const { approvals, defined, shells, trail } = shared;
  return {
    facts: async ({ caller, to, key }) => {
      const session = to === "shell" ? shells.peek(key, askerOf(caller)) : find(key);
      return session ? await actFacts(session, defined) : null;
    },
    ask: async (ask) => approvals.ask(ask, askerOf(ask.caller)),
    list: async () => approvals.list().filter((owner) => isInView({ owner }, scope)),
    decide: (number, decision) =>
      trail.act(async () => {
        const decided = approvals.decide(number, decision);
        trail.note(auditOf(decided, decision));
        return decided;
      }),
    wait: async (wait) => await approvals.wait(wait, askerOf(wait.caller)),
    withdraw: async ({ caller, number }) => approvals.withdraw(number, askerOf(caller)),
  };
}

/** Typed text is never recorded. */
function auditOf(
  { number, caller, project, tool, act }: Approval,
  { kind, by, ...decision }: ApprovalDecision,
): AuditAct {
  const { session, place, directory, sandbox } = act;
  const reason = "reason" in decision && decision.reason !== null ? `: ${decision.reason}` : "";
  return {
    event: "approval",
    caller,
    project,
    tool,
    verdict: { decision: kind, approvedBy: by },
    detail: `${number}${"scope" in decision ? ` (${decision.scope})` : reason}`,
    ...(place === undefined ? {} : { place }),
    ...(session === null ? {} : { session }),
    ...(act.kind === "input" ? {} : { command: act.text }),
    ...(directory === null ? {} : { cwd: directory }),
    ...(sandbox === null ? {} : { sandbox }),
  };
}
