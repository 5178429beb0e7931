/** Gives up a host that does not come back. Its epoch ends, and its sessions count as lost. */
import { LimpetError } from "../../base/limpet-error.ts";
import { encodeMessage } from "../link/open-messages.ts";
import { claimKey, NAMES, NAMES_MAX_AGE_MS } from "../names/claim.ts";
import type { Bus } from "../nats/bus.ts";
import { COUNTS, COUNTS_MAX_AGE_MS, countKey } from "../quotas/session-count.ts";
import { MEMBERS, readMember } from "../registry/records.ts";

const MAX_CONFLICTS = 5;

/**
 * Returns the epoch that has ended. If the host still runs, it is fenced: it no longer serves the fleet. After a
 * restart it has a new epoch. Needs the rights of an operator.
 */
export async function giveUpHost(bus: Bus, host: string): Promise<number> {
  const members = await bus.bucket(MEMBERS);
  for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
    const entry = await members.get(host);
    const member = entry && readMember(entry.value);
    if (!entry || !member)
      throw new LimpetError("BAD_OPTION", `The fleet has no host ${JSON.stringify(host)}. See limpet fleet status.`);
    const given = encodeMessage({ ...member, givenUpEpoch: member.epoch });
    if ((await members.replace(host, given, entry.revision)) === undefined) continue;
    await freeShares(bus, host);
    return member.epoch;
  }
  throw new LimpetError("FLEET_REFUSED", `The entry of ${host} changes all the time: it is up. Stop the host first.`);
}

/** Frees the names of the host's sessions for other hosts, and removes its sessions from the counts of quotas. */
async function freeShares(bus: Bus, host: string): Promise<void> {
  const names = await bus.bucket(NAMES, { maxAgeMs: NAMES_MAX_AGE_MS });
  for (const { key } of await names.match(claimKey(host, "*"))) await names.delete(key);
  const counts = await bus.bucket(COUNTS, { maxAgeMs: COUNTS_MAX_AGE_MS });
  for (const { key } of await counts.match(countKey("*", host))) await counts.delete(key);
}
