/** Connects to the host of a place. */
import { join } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import type { Connect, ConnectRequest } from "../host/client/connect-request.ts";
import { linkOrInside, reachImage } from "./container/link-or-inside.ts";
import type { CommandStream } from "./link/command-stream.ts";
import { type LinkRequest, openLink } from "./link/open-link.ts";
import type { BringNode } from "./node/bring-node.ts";
import { containerOf, type HostedPlace, type Place } from "./place-address.ts";
import { type Asks, askPerson } from "./ssh/ask-person.ts";
import { questionIn } from "./ssh/question-in.ts";
import { SshWays } from "./ssh/ssh-ways.ts";
import { withKnownFingerprint } from "./ssh/with-known-fingerprint.ts";
import { type Ways, waysTo } from "./ways-to.ts";

export interface ReachOptions {
  readonly place: Place;
  /** limpet's state directory on this machine. It also contains cached bundles for places. */
  readonly stateDirectory: string;
  /** Who answers the prompts of ssh. Default: nobody. */
  readonly asks?: Asks;
  /** The command that starts a host on this machine, for containers. Default: `limpet host run` of this package. */
  readonly command?: readonly [program: string, ...args: string[]];
  /** Called while a Node is sent to a place that has none. */
  readonly onProgress?: BringNode["onProgress"];
}

/** For which requests a person is asked. An agent that only lists all places does not open a session for prompts. */
const ASKED_FOR: Readonly<Record<Asks, ReadonlySet<ConnectRequest["purpose"]>>> = {
  nobody: new Set(),
  session: new Set(["act"]),
  terminal: new Set(["act", "look"]),
};

/**
 * The host of an image runs on this machine. The host of a container runs inside, or on this machine if the container
 * has no Node.
 */
export function reachPlace(options: ReachOptions): Connect {
  const { name, setting } = options.place;
  if ("image" in setting) return reachImage(setting, options);
  const place = { name, setting };
  const link = reachHosted(place, options);
  const container = containerOf(place);
  return container ? linkOrInside(container, { ...options, link, isBringing: Boolean(setting.bringNode) }) : link;
}

function reachHosted(place: HostedPlace, { stateDirectory, asks = "nobody", onProgress }: ReachOptions): Connect {
  const ways = waysTo(place, stateDirectory);
  const { bringNode = false } = place.setting;
  const file = typeof bringNode === "string" ? bringNode : undefined;
  const bring = bringNode === false ? undefined : { file, onProgress, compress: !containerOf(place) };
  const open = async (request: ConnectRequest) =>
    await openOverLive(ways, {
      ...request,
      place: place.name,
      cache: join(stateDirectory, "bundles"),
      // A request that only asks whether a host runs does not send Node.
      bring: request.mayStart ? bring : undefined,
    });
  if (!(ways instanceof SshWays)) return open;
  return async (request) => {
    try {
      return await open(request);
    } catch (refused) {
      const error = withKnownFingerprint(refused);
      if (asks === "nobody" || !(error instanceof LimpetError) || !ASKED_FOR[asks].has(request.purpose)) throw error;
      const question = questionIn(error.message);
      if (question === undefined) throw error;
      const { signal } = request;
      await askPerson(asks, { place: place.name, ways, question, error, stateDirectory, signal });
      return await open(request);
    }
  };
}

/** A connection that another command has opened may be dead without notice. In that case limpet opens a new one. */
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
