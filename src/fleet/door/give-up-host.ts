/** Gives up a host that does not come back: its epoch is over, and its sessions are lost. */
import { LimpetError } from "../../base/limpet-error.ts";
import { encodeMessage } from "../link/open-messages.ts";
import type { Bus } from "../nats/bus.ts";
import { MEMBERS, readMember } from "../registry/records.ts";

const MAX_CONFLICTS = 5;

/**
 * Returns the epoch that is over. The host finds itself fenced if it runs after all; when it is started again, it has a
 * new epoch. Needs the rights of an operator.
 */
export async function giveUpHost(bus: Bus, host: string): Promise<number> {
  const members = await bus.bucket(MEMBERS);
  for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
    const entry = await members.get(host);
    const member = entry && readMember(entry.value);
    if (!entry || !member)
      throw new LimpetError("BAD_OPTION", `The fleet has no host ${JSON.stringify(host)}. See limpet fleet status.`);
    const given = encodeMessage({ ...member, givenUpEpoch: member.epoch });
    if ((await members.replace(host, given, entry.revision)) !== undefined) return member.epoch;
  }
  throw new LimpetError("FLEET_REFUSED", `The entry of ${host} changes all the time: it is up. Stop the host first.`);
}
