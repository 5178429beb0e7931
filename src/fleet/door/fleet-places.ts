/** The hosts of a fleet as places, for a service that spans them. */
import type { KnownPlace, PlaceSource } from "../../places/spanning/known-places.ts";
import { placedService } from "../../places/spanning/placed-service.ts";
import { matchLabels } from "../placement/match-labels.ts";
import { parseLabelExpression } from "../placement/parse-label-expression.ts";
import { isFleetName } from "../subjects.ts";
import type { FleetHost } from "./fleet-directory.ts";
import type { FleetDoor } from "./fleet-door.ts";

/** `labels`: lists and waits use only hosts that match this expression. A host that a key names is always used. */
export function fleetPlaces(door: FleetDoor, labels: string | undefined): PlaceSource {
  const expression = labels === undefined ? undefined : parseLabelExpression(labels);
  const places = new Map<string, KnownPlace>();
  const find = (name: string): KnownPlace | undefined => {
    const known = places.get(name);
    if (known || !isFleetName(name)) return known;
    const place = { name, service: placedService(door.clientOf(name), name) };
    places.set(name, place);
    return place;
  };
  return {
    all: () =>
      door
        .knownHosts()
        .filter((host) => expression === undefined || matchLabels(expression, host.labels))
        .flatMap((host) => {
          const place = find(host.name);
          const problem = problemOf(host);
          return place ? [problem === undefined ? place : { ...place, problem }] : [];
        }),
    find,
  };
}

/** Why lists skip a host; undefined for a host that lists ask. */
function problemOf({ state, sessions, epoch }: FleetHost): string | undefined {
  if (state === "lost") return `lost: epoch ${epoch} was given up`;
  if (state !== "unreachable") return undefined;
  if (sessions === 0) return "unreachable: no sign of life";
  return `unreachable: no sign of life, ${sessions === 1 ? "its session" : `its ${sessions} sessions`} may still run`;
}
