/**
 * The sessions of a place. Their host runs at the place and is reached through a command. For a container without Node,
 * it runs on this machine.
 */
import { lazy } from "../base/async/lazy.ts";
import type { Connect } from "../host/client/connect-request.ts";
import { type HostClient, hostClient } from "../host/client/host-client.ts";
import { atPlace } from "./at-place.ts";
import type { ReachOptions } from "./reach-place.ts";

export interface ConnectPlaceOptions extends ReachOptions {
  /** Names and lists refer to sessions of this folder at the place. Default: all folders. */
  readonly project?: string;
}

/** Returns a client. Its first call connects, and starts a host if none runs. */
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
