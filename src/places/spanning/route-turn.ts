/** Decides where a turn goes: to the place that it names, or to the place in its key. Pure. */
import { LimpetError } from "../../base/limpet-error.ts";
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";

export interface RoutedTurn {
  /** Null for this machine. */
  readonly place: string | null;
  /** The request for the place, without the name of the place. */
  readonly request: TurnRequest;
}

/** For all turns except those about several sessions. */
export function routeTurn({ place: named, ...request }: TurnRequest): RoutedTurn {
  const { on } = request;
  const given = named ?? null;
  if (on.kind === "run") {
    const { place, key } = parseSessionKey(on.run.shell);
    const run = { ...on.run, shell: key };
    return { place: requireOne(given, place), request: { ...request, on: { ...on, run } } };
  }
  if (on.kind === "session") {
    const { place, key } = parseSessionKey(on.key);
    return { place: requireOne(given, place), request: { ...request, on: { ...on, key } } };
  }
  return { place: given, request };
}

/** The keys of each place, in the order in which the places are first named. */
export function routeKeys(keys: readonly SessionKey[]): ReadonlyMap<string | null, readonly SessionKey[]> {
  const groups = new Map<string | null, SessionKey[]>();
  for (const given of keys) {
    const { place, key } = parseSessionKey(given);
    groups.set(place, [...(groups.get(place) ?? []), key]);
  }
  return groups;
}

function requireOne(named: string | null, inKey: string | null): string | null {
  if (named === null || inKey === null || named === inKey) return inKey ?? named;
  throw new LimpetError(
    "BAD_OPTION",
    `place is ${JSON.stringify(named)}, but the session is at ${JSON.stringify(inKey)}. Leave one of them out.`,
  );
}
