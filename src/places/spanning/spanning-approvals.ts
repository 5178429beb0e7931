/**
 * The approvals of a service with places. They are decided on this machine, where the user is. Facts about a session
 * come from its place.
 */

import type { ApprovalService } from "../../service/approvals/approval.ts";
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { KnownPlaces } from "./known-places.ts";

export function spanningApprovals(here: ApprovalService, places: KnownPlaces): ApprovalService {
  return {
    facts: async ({ key: given, ...asked }) => {
      const { place, key } = parseSessionKey(given);
      if (place === null) return await here.facts({ ...asked, key });
      return await places.at(place, ({ approvals }) => approvals.facts({ ...asked, key }));
    },
    ask: (ask) => here.ask(ask),
    list: () => here.list(),
    decide: (number, decision) => here.decide(number, decision),
    wait: (wait) => here.wait(wait),
    withdraw: (of) => here.withdraw(of),
  };
}
