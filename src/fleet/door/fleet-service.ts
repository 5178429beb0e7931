/**
 * The sessions of a fleet as one service. A key such as `gpu-1/7` names its host; a program that names none is placed
 * by bids. A request that is repeated under its id goes to the same host, so that nothing is started twice.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { SpanningService } from "../../places/spanning/spanning-service.ts";
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import type { FleetDoor } from "./fleet-door.ts";
import { fleetPlaces } from "./fleet-places.ts";

/** Far more than are on their way at once. */
const MAX_REMEMBERED = 1_024;

interface FleetServiceOptions {
  readonly door: FleetDoor;
  /** Only hosts that match this expression get new sessions, and are listed. Default: all. */
  readonly labels: string | undefined;
  /** Where the approvals and the audit of its user are. */
  readonly here: SessionService;
}

export function fleetService({ door, labels, here }: FleetServiceOptions): SessionService {
  const spanning = new SpanningService({ here, places: fleetPlaces(door, labels) });
  const list: SessionService["list"] = (options) => spanning.list(options);
  const placed = placer({
    choose: async (caller, workspace) => {
      await door.requireQuota({ caller, list });
      return await door.place({ labels, workspace });
    },
    known: () => door.hosts(),
  });
  /** Lists are complete when the hosts have been read. */
  const afterHosts =
    <A extends readonly unknown[], R>(method: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await door.hosts();
      return await method(...args);
    };
  return {
    ...spanning,
    turn: async (request) => await spanning.turn(await placed(request)),
    list: afterHosts(spanning.list),
    running: afterHosts(spanning.running),
  };
}

interface Placer {
  /** Finds a host for a new session of this caller. */
  readonly choose: (caller: string, workspace: string | undefined) => Promise<string>;
  /** Resolves when the hosts have been read. */
  readonly known: () => Promise<unknown>;
}

/** Adds the host to a request that starts something and names none. */
function placer({ choose, known }: Placer): (request: TurnRequest) => Promise<TurnRequest> {
  const remembered = new BoundedMap<string, Promise<string>>(MAX_REMEMBERED);
  const once = async (id: string | undefined, place: () => Promise<string>): Promise<string> => {
    const before = id === undefined ? undefined : remembered.get(id);
    if (before) return await before;
    const placing = place();
    if (id !== undefined) {
      remembered.set(id, placing);
      placing.catch(() => remembered.delete(id));
    }
    return await placing;
  };
  return async (request) => {
    const { on, caller, requestId, place } = request;
    if (place !== undefined) return request;
    if (on.kind === "several") {
      await known();
      return request;
    }
    if (on.kind === "start") {
      const id = requestId === undefined ? undefined : JSON.stringify(["request", caller, requestId]);
      return { ...request, place: await once(id, () => choose(caller, on.start.cwd)) };
    }
    if (on.kind !== "run" || parseSessionKey(on.run.shell).place !== null) return request;
    // A shell stays where it is.
    const id = JSON.stringify(["shell", caller, on.run.shell]);
    return { ...request, place: await once(id, () => choose(caller, on.run.cwd ?? on.run.fresh?.cwd)) };
  };
}
