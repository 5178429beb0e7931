import { judgeHost, latestEpoch, type MemberEntry, type SeenLease } from "./judge-host.ts";

/**
 * Where the truth about a session is: `reachable` at its host, `unreachable` while the host is silent (the session may
 * be alive), `lost` with the epoch in which it was started.
 */
export type SessionStanding = "reachable" | "unreachable" | "lost";

interface SessionFacts {
  /** The epoch of its host in which it was started. */
  readonly epoch: number;
  readonly lease: SeenLease | undefined;
  readonly member: MemberEntry | undefined;
  readonly nowMs: number;
}

/** Pure. Once `lost`, a session never has another state, whatever arrives later. */
export function judgeSession({ epoch, lease, member, nowMs }: SessionFacts): SessionStanding {
  if (epoch < latestEpoch(lease, member) || epoch <= (member?.givenUpEpoch ?? 0)) return "lost";
  // A session of an epoch that nobody has registered yet: its host has just started, and its lease is on the way.
  if (epoch > latestEpoch(lease, member)) return "unreachable";
  return judgeHost({ lease, member, nowMs }) === "unreachable" ? "unreachable" : "reachable";
}
