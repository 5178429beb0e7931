/** The sessions of a place: a host there, reached over a command. */
import { lazy } from "../base/async/lazy.ts";
import { type HostClient, hostClient } from "../host/client/host-client.ts";
import type { Connect } from "../host/client/host-link.ts";
import { atPlace } from "./at-place.ts";
import type { Place } from "./place-address.ts";
import type { Asks } from "./ssh/ask-person.ts";

export interface ConnectPlaceOptions {
  readonly place: Place;
  /** limpet's own directory on this machine, where it keeps what it sends to places, and shared connections. */
  readonly stateDirectory: string;
  /** The folder there whose sessions names and lists mean. Default: those of all folders. */
  readonly project?: string;
  /** Who answers what ssh asks. Default: nobody. */
  readonly asks?: Asks;
}

/** The first call connects, and starts a host there if none runs. */
export function connectPlace({ project, ...options }: ConnectPlaceOptions): HostClient {
  // Loaded at the first call, because child processes and compression are slow to load.
  const reach = lazy(async () => (await import("./reach-place.ts")).reachPlace(options));
  const connect: Connect = async (request) => await (await reach())(request);
  const scope = { project: project ?? null, reach: project === undefined ? "user" : "project" } as const;
  const client = hostClient(connect, { isFar: true, identity: () => ({ scope }) });
  const turn: HostClient["turn"] = (request) =>
    client.turn({ ...request, on: atPlace(request.on, options.place.setting) });
  return { ...client, turn };
}
