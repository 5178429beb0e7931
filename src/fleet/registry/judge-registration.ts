/** Whether a host may register under its name. Pure. */
import type { MemberRecord } from "./records.ts";

type Own = Pick<MemberRecord, "epoch" | "instance" | "publicKey">;

/** `fenced`: a later process of the same host runs, or this epoch was given up. `taken`: another host has the name. */
export type Registration = "register" | "fenced" | "taken";

/** `found`: the entry that the host would replace. */
export function judgeRegistration(own: Own, found: MemberRecord | undefined): Registration {
  if (!found) return "register";
  if (found.publicKey !== own.publicKey) return "taken";
  if ((found.givenUpEpoch ?? 0) >= own.epoch || found.epoch > own.epoch) return "fenced";
  // If two processes use copies of one state directory, the first one keeps the epoch.
  return found.epoch === own.epoch && found.instance !== own.instance ? "fenced" : "register";
}
