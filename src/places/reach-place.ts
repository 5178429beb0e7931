/** Opens links to the host of a place, one after the other. */
import { join } from "node:path";
import type { Connect } from "../host/client/host-link.ts";
import type { CommandStream } from "./command-stream.ts";
import { openLink } from "./open-link.ts";
import type { Place } from "./place-address.ts";
import { type Ways, waysTo } from "./ways-to.ts";

export interface ReachOptions {
  readonly place: Place;
  readonly stateDirectory: string;
}

export function reachPlace({ place, stateDirectory }: ReachOptions): Connect {
  const ways = waysTo(place, stateDirectory);
  const request = { place: place.name, cache: join(stateDirectory, "bundles") };
  return async ({ mayStart }) => await openOverLive(ways, { ...request, mayStart });
}

type Request = Omit<Parameters<typeof openLink>[0], "way">;

/** A connection that another command has made may be dead without a sign: then a new one is made. */
async function openOverLive(ways: Ways, request: Request): Promise<CommandStream | undefined> {
  const way = await ways.next();
  let isDead = false;
  const onDead = () => {
    isDead = true;
    way.onDead?.();
  };
  try {
    return await openLink({ ...request, way: { ...way, onDead } });
  } catch (error) {
    if (!isDead || !way.isShared) throw error;
    return await openLink({ ...request, way: await ways.next() });
  }
}
