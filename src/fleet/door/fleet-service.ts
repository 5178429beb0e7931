/**
 * The sessions of a fleet as one service. A key such as `gpu-1/7` names its host. For a new program without a host, the
 * door asks hosts for bids and chooses one.
 */
import { SpanningService } from "../../places/spanning/spanning-service.ts";
import type { SessionService } from "../../service/session-service.ts";
import { readNeeds } from "../placement/read-needs.ts";
import type { FleetDoor } from "./fleet-door.ts";
import { fleetPlaces } from "./fleet-places.ts";
import { ListMemory } from "./list-memory.ts";
import { hostWithName, withNames } from "./named-sessions.ts";
import { PlacedTurns } from "./placed-turns.ts";

interface FleetServiceOptions {
  readonly door: FleetDoor;
  /** Only hosts with these labels get new sessions and are listed: see `readNeeds`. Undefined: all hosts. */
  readonly labels: string | undefined;
  /** The service on this machine, with the approvals and the audit log of its user. */
  readonly here: SessionService;
}

export function fleetService({ door, labels, here }: FleetServiceOptions): SessionService {
  const spanning = new SpanningService({ here, places: fleetPlaces(door, readNeeds(labels).labels) });
  const memory = new ListMemory();
  const list: SessionService["list"] = async (options) => {
    // A list is complete only after the hosts have been read.
    await door.hosts();
    memory.begin();
    const listed = await spanning.list(options);
    memory.end(listed.length);
    return listed;
  };
  const running: SessionService["running"] = async () => {
    await door.hosts();
    return await spanning.running();
  };
  // `running` asks only hosts that this door has used. Another door may have started the session elsewhere, so all
  // hosts are listed next.
  const hostOf = async (name: string) => {
    const host = hostWithName(await running(), name);
    if (host !== undefined) return host;
    await list({ ended: false });
    return hostWithName(await running(), name);
  };
  const turns = new PlacedTurns({
    turn: spanning.turn,
    hostOf,
    choose: (wish) => door.place({ ...wish, labels }),
    known: () => door.hosts(),
  });
  return withNames({ ...spanning, turn: (request) => turns.run(request), list, running }, hostOf);
}
