/** The sessions of a place: a host there, reached over a command. */
import { join } from "node:path";
import { type HostClient, hostClient } from "../host/client/host-client.ts";
import type { Connect } from "../host/client/host-link.ts";
import { atPlace } from "./at-place.ts";
import { argvOf, type Place } from "./place-address.ts";

export interface ConnectPlaceOptions {
  readonly place: Place;
  /** limpet's own directory on this machine, where it keeps what it sends to places. */
  readonly stateDirectory: string;
  /** The folder there whose sessions names and lists mean. Default: those of all folders. */
  readonly project?: string;
}

/** The first call connects, and starts a host there if none runs. */
export function connectPlace({ place, stateDirectory, project }: ConnectPlaceOptions): HostClient {
  const connect: Connect = async ({ mayStart }) => {
    // Loaded at the first call, because child processes and compression are slow to load.
    const { openLink } = await import("./open-link.ts");
    return await openLink({
      place: place.name,
      argvFor: (nonce) => argvOf(place, nonce),
      cache: join(stateDirectory, "bundles"),
      mayStart,
    });
  };
  const scope = { project: project ?? null, reach: project === undefined ? "user" : "project" } as const;
  const client = hostClient(connect, { isFar: true, identity: () => ({ scope }) });
  const turn: HostClient["turn"] = (request) => client.turn({ ...request, on: atPlace(request.on, place.setting) });
  return { ...client, turn };
}
