/** Opens links to the host of a place, one after the other. */
import { join } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import type { Connect, ConnectRequest } from "../host/client/host-link.ts";
import type { CommandStream } from "./command-stream.ts";
import { type LinkRequest, openLink } from "./open-link.ts";
import type { Place } from "./place-address.ts";
import { type Asks, askPerson } from "./ssh/ask-person.ts";
import { questionIn } from "./ssh/question-in.ts";
import { SshWays } from "./ssh/ssh-ways.ts";
import { type Ways, waysTo } from "./ways-to.ts";

export interface ReachOptions {
  readonly place: Place;
  readonly stateDirectory: string;
  /** Who answers what ssh asks. Default: nobody. */
  readonly asks?: Asks;
}

/** A session is opened for what an agent does at a place, and not because it lists all places. */
const ASKED_FOR: Readonly<Record<Asks, ReadonlySet<ConnectRequest["purpose"]>>> = {
  nobody: new Set(),
  session: new Set(["act"]),
  terminal: new Set(["act", "look"]),
};

export function reachPlace({ place, stateDirectory, asks = "nobody" }: ReachOptions): Connect {
  const ways = waysTo(place, stateDirectory);
  const open = async (request: ConnectRequest) =>
    await openOverLive(ways, { ...request, place: place.name, cache: join(stateDirectory, "bundles") });
  if (asks === "nobody" || !(ways instanceof SshWays)) return open;
  return async (request) => {
    try {
      return await open(request);
    } catch (error) {
      if (!(error instanceof LimpetError) || !ASKED_FOR[asks].has(request.purpose)) throw error;
      const question = questionIn(error.message);
      if (question === undefined) throw error;
      await askPerson(asks, { place: place.name, ways, question, error, stateDirectory });
      return await open(request);
    }
  };
}

/** A connection that another command has made may be dead without a sign: then a new one is made. */
async function openOverLive(ways: Ways, request: Omit<LinkRequest, "way">): Promise<CommandStream | undefined> {
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
