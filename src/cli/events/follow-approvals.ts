/** Each request for approval once: those that are open, then new ones. */
import type { HostClient } from "../../host/client/host-client.ts";
import type { Approval } from "../../service/approvals/approval.ts";
import { followEvents } from "./follow-events.ts";

export async function* followApprovals(
  sessions: HostClient,
  signal: AbortSignal,
): AsyncGenerator<Approval, void, undefined> {
  let shown = 0;
  const events = followEvents(sessions, signal)[Symbol.asyncIterator]();
  // Requested before the list, so that no request is missed in between.
  let next = events.next();
  next.catch(() => undefined);
  for (;;) {
    for (const approval of await sessions.approvals.list()) {
      if (approval.number <= shown) continue;
      shown = approval.number;
      yield approval;
    }
    const page = await next;
    if (page.done) return;
    next = events.next();
    next.catch(() => undefined);
  }
}
