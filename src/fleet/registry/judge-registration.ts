/** Whether a host may register under its name. Pure. */
import type { MemberRecord } from "./records.ts";

type Own = Pick<MemberRecord, "epoch" | "instance" | "publicKey">;

/** `fenced`: a later process of the same host runs, or this epoch was given up. `taken`: the name is another host's. */
export type Registration = "register" | "fenced" | "taken";

/** `found`: the entry that the host would replace, by its revision. */
export function judgeRegistration(own: Own, found: MemberRecord | undefined): Registration {
  if (!found) return "register";
  if (found.publicKey !== own.publicKey) return "taken";
  if ((found.givenUpEpoch ?? 0) >= own.epoch || found.epoch > own.epoch) return "fenced";
  // Two processes with copies of one state directory: the first one keeps the epoch.
  return found.epoch === own.epoch && found.instance !== own.instance ? "fenced" : "register";
}
