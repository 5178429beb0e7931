import { judgeHost, latestEpoch, type MemberEntry, type SeenLease } from "./judge-host.ts";

/**
 * What a door knows about a session. `reachable`: its host answers. `unreachable`: the host is silent, and the session
 * may still run. `lost`: the epoch in which it was started has ended.
 */
export type SessionStanding = "reachable" | "unreachable" | "lost";

interface SessionFacts {
  /** The epoch of the host in which the session was started. */
  readonly epoch: number;
  readonly lease: SeenLease | undefined;
  readonly member: MemberEntry | undefined;
  readonly nowMs: number;
}

/** Pure. A session that is `lost` stays `lost`, whatever arrives later. */
export function judgeSession({ epoch, lease, member, nowMs }: SessionFacts): SessionStanding {
  if (epoch < latestEpoch(lease, member) || epoch <= (member?.givenUpEpoch ?? 0)) return "lost";
  // The epoch is not registered yet: the host has just started, and its lease has not arrived.
  if (epoch > latestEpoch(lease, member)) return "unreachable";
  return judgeHost({ lease, member, nowMs }) === "unreachable" ? "unreachable" : "reachable";
}
