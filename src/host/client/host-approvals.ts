/** The approvals of a host. Every request is safe to repeat, and is sent again when the connection breaks. */
import type { ActFacts, Approval, ApprovalService } from "../../service/approvals/approval.ts";
import { notFound } from "../../service/approvals/approval-errors.ts";
import type { HostLink } from "./host-link.ts";

export function hostApprovals(link: HostLink): ApprovalService {
  const ask = (method: keyof ApprovalService, params: object, signal?: AbortSignal) =>
    link.repeat(`approvals.${method}`, params, signal);
  return {
    facts: async (place) => (await ask("facts", place)) as ActFacts | null,
    ask: async (asked) => (await ask("ask", asked)) as Approval,
    // Without a host, nothing is open.
    list: async () => ((await link.ask("approvals.list", {})) ?? []) as readonly Approval[],
    decide: async (number, decision) => {
      const decided = await link.ask("approvals.decide", { number, decision });
      if (decided === undefined) throw notFound(number);
      return decided as Approval;
    },
    wait: async ({ signal, ...wait }) => (await ask("wait", wait, signal)) as Approval,
    withdraw: async (of) => void (await ask("withdraw", of)),
  };
}
