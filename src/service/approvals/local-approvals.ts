/** The approvals of sessions in this process, for one client. */
import { isInView, type Scope } from "../../session/resolve-session.ts";
import type { Session } from "../../session/session.ts";
import type { Asker } from "../owners/asker.ts";
import type { SessionKey } from "../session-service.ts";
import type { Shells } from "../shells/shells.ts";
import { actFacts } from "./act-facts.ts";
import type { ApprovalService } from "./approval.ts";
import type { Approvals } from "./approvals.ts";
import type { DefinedNames } from "./defined-names.ts";

interface LocalParts {
  readonly shared: { readonly approvals: Approvals; readonly defined: DefinedNames; readonly shells: Shells };
  readonly scope: Scope;
  readonly askerOf: (caller: string) => Asker;
  readonly find: (key: SessionKey) => Session;
}

export function localApprovals({ shared, scope, askerOf, find }: LocalParts): ApprovalService {
  const { approvals, defined, shells } = shared;
  return {
    facts: async ({ caller, to, key }) => {
      const session = to === "shell" ? shells.peek(key, askerOf(caller)) : find(key);
      return session ? actFacts(session, defined) : null;
    },
    ask: async (ask) => approvals.ask(ask, askerOf(ask.caller)),
    list: async () => approvals.list().filter((owner) => isInView({ owner }, scope)),
    decide: async (number, decision) => approvals.decide(number, decision),
    wait: async (wait) => await approvals.wait(wait, askerOf(wait.caller)),
    withdraw: async ({ caller, number }) => approvals.withdraw(number, askerOf(caller)),
  };
}
