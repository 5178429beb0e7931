/**
 * The sessions of a fleet as one service. A key such as `gpu-1/7` names its host; a program that names none is placed
 * by bids. A request that is repeated under its id goes to the same host, so that nothing is started twice.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { SpanningService } from "../../places/spanning/spanning-service.ts";
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { readNeeds } from "../placement/read-needs.ts";
import type { FleetDoor } from "./fleet-door.ts";
import { fleetPlaces } from "./fleet-places.ts";
import { hostWithName, withNames } from "./named-sessions.ts";

/** Far more than are on their way at once. */
const MAX_REMEMBERED = 1_024;

interface FleetServiceOptions {
  readonly door: FleetDoor;
  /** Only hosts with these labels get new sessions, and are listed: see `readNeeds`. Default: all. */
  readonly labels: string | undefined;
  /** Where the approvals and the audit of its user are. */
  readonly here: SessionService;
}

export function fleetService({ door, labels, here }: FleetServiceOptions): SessionService {
  const spanning = new SpanningService({ here, places: fleetPlaces(door, readNeeds(labels).labels) });
  const list: SessionService["list"] = async (options) => {
    // Lists are complete when the hosts have been read.
    await door.hosts();
    return await spanning.list(options);
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
  const placed = placer({
    hostOf,
    choose: (workspace) => door.place({ labels, workspace }),
    known: () => door.hosts(),
  });
  const turn: SessionService["turn"] = async (request) => {
    const own = await placed(request);
    try {
      return await spanning.turn(own);
    } catch (error) {
      // Another door was faster, on another host: its session is the one that is meant.
      const name = error instanceof LimpetError && error.code === "NAME_TAKEN" ? sharedName(request) : undefined;
      const host = name === undefined ? undefined : await hostOf(name);
      if (host === undefined || host === own.place) throw error;
      return await spanning.turn(await placed(request, host));
    }
  };
  return withNames({ ...spanning, turn, list, running }, hostOf);
}

interface Placer {
  /** Where a session with this name runs. */
  readonly hostOf: (name: string) => Promise<string | undefined>;
  /** Finds a host for a new session. */
  readonly choose: (workspace: string | undefined) => Promise<string>;
  /** Resolves when the hosts have been read. */
  readonly known: () => Promise<unknown>;
}

/** The name of a session that the request would use if it ran. */
function sharedName({ on, place }: TurnRequest): string | undefined {
  if (place !== undefined) return undefined;
  if (on.kind === "start") return on.start.reuse ? on.start.name : undefined;
  return on.kind === "run" ? String(on.run.shell) : undefined;
}

/** Adds the host to a request that starts something and names none. `at`: it turned out to be this one. */
function placer({ hostOf, choose, known }: Placer): (request: TurnRequest, at?: string) => Promise<TurnRequest> {
  const remembered = new BoundedMap<string, Promise<string>>(MAX_REMEMBERED);
  const once = async (id: string | undefined, place: () => Promise<string>, at?: string): Promise<string> => {
    const before = id === undefined || at !== undefined ? undefined : remembered.get(id);
    if (before) return await before;
    const placing = at === undefined ? place() : Promise.resolve(at);
    if (id !== undefined) {
      remembered.set(id, placing);
      placing.catch(() => remembered.delete(id));
    }
    return await placing;
  };
  return async (request, at) => {
    const { on, caller, requestId } = request;
    if (request.place !== undefined) return request;
    if (on.kind === "several") {
      await known();
      return request;
    }
    if (on.kind === "start") {
      const id = requestId === undefined ? undefined : JSON.stringify(["request", caller, requestId]);
      const { name, cwd } = on.start;
      // The host that has the name decides whether it is taken or the session is used again.
      const place = async () => (name === undefined ? undefined : await hostOf(name)) ?? (await choose(cwd));
      return { ...request, place: await once(id, place, at) };
    }
    if (on.kind !== "run" || parseSessionKey(on.run.shell).place !== null) return request;
    const { shell, cwd, fresh } = on.run;
    // A shell stays where it is, also if another door has started it.
    const place = async () => (await hostOf(String(shell))) ?? (await choose(cwd ?? fresh?.cwd));
    return { ...request, place: await once(JSON.stringify(["shell", caller, shell]), place, at) };
  };
}
