/**
 * The sessions of a fleet as one service. A key such as `gpu-1/7` names its host; a program that names none is placed
 * by bids.
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
  /** Only hosts with these labels get new sessions, and are listed: see `readNeeds`. Default: all. */
  readonly labels: string | undefined;
  /** Where the approvals and the audit of its user are. */
  readonly here: SessionService;
}

export function fleetService({ door, labels, here }: FleetServiceOptions): SessionService {
  const spanning = new SpanningService({ here, places: fleetPlaces(door, readNeeds(labels).labels) });
  const memory = new ListMemory();
  const list: SessionService["list"] = async (options) => {
    // Lists are complete when the hosts have been read.
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
  // What nobody has used through this door is asked as well: another door may have started it.
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
