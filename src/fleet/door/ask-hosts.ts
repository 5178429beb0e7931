/** Asks hosts for their current numbers. Those in a lease are some seconds old. */
import { Semaphore } from "../../base/async/semaphore.ts";
import { encodeMessage } from "../link/open-messages.ts";
import type { Bus } from "../nats/bus.ts";
import { readBid } from "../placement/bid.ts";
import { bidSubject } from "../subjects.ts";
import type { FleetHost } from "./fleet-directory.ts";

/** Short, because a person waits for the list. */
const ANSWER_MS = 1_000;
const MAX_ASKED_AT_ONCE = 256;

/**
 * The same hosts with their current numbers. A host that does not answer in time keeps the numbers of its lease and
 * their age.
 */
export async function askHosts(bus: Bus, hosts: readonly FleetHost[]): Promise<readonly FleetHost[]> {
  const asking = new Semaphore(MAX_ASKED_AT_ONCE);
  return await Promise.all(hosts.map((host) => asking.pass(() => askHost(bus, host))));
}

async function askHost(bus: Bus, host: FleetHost): Promise<FleetHost> {
  const { name, state, maxSessions } = host;
  if (state === "unreachable" || state === "lost") return host;
  const question = { timeoutMs: ANSWER_MS, hasDeadline: true };
  const data = await bus.request(bidSubject(name), encodeMessage({}), question).catch(() => undefined);
  const answer = data && readBid(name, data);
  if (!answer) return host;
  const { sessions, load } = answer;
  const free = state === "up" ? Math.max(0, maxSessions - sessions) : 0;
  return { ...host, sessions, load, free, ageMs: 0 };
}
