/** Connects a command to the user's host while it runs. A person sees the sessions of all projects. */

import { LimpetError } from "../base/limpet-error.ts";
import { connectHost } from "../host/client/connect-host.ts";
import type { HostClient } from "../host/client/host-client.ts";
import { parseSessionKey } from "../service/listing/session-key.ts";
import { findProject } from "../service/owners/find-project.ts";
import type { Args } from "./args/command.ts";
import { isOn, listOf, textOf } from "./args/read-args.ts";
import { fleetSetting } from "./settings/fleet-setting.ts";
import { personEnv, placesSetting, stateDirectory } from "./settings/settings.ts";

/** The owner of the sessions that a person starts. */
export const PERSON = "person";

/** The host is that of the place in `--at`, or in the key of the session, such as `build/7`. */
export async function withHost<T>(args: Args, work: (sessions: HostClient) => Promise<T>): Promise<T> {
  return await during(await clientFor(args), work);
}

/**
 * Like `withHost`, for a command that starts a session. With `--at fleet:LABELS`, the host is chosen when the session
 * starts, as it is for an agent.
 */
export async function withStarts<T>(args: Args, work: (sessions: HostClient) => Promise<T>): Promise<T> {
  const at = textOf(args, "at");
  if (at === undefined || !isWholeFleet(at)) return await withHost(args, work);
  const { allOfFleet, fleetLabels, openFleetClient } = await import("./fleet/fleet-clients.ts");
  // A session that a person starts through the fleet has no project, so --name and --reuse mean such sessions.
  return await during(allOfFleet(openFleetClient({}, { project: null }), fleetLabels(at) ?? undefined), work);
}

/** The sessions here and at these places. */
export async function withPlaces<T>(places: readonly string[], work: (sessions: HostClient) => Promise<T>): Promise<T> {
  return await during(await clientAcross(places), work);
}

/** The fleet if `--fleet` or `--at fleet:LABELS` says so, else what `withHost` connects to. */
export async function withHostOrFleet<T>(args: Args, work: (sessions: HostClient) => Promise<T>): Promise<T> {
  const at = textOf(args, "at");
  const labels = at === undefined ? undefined : /^fleet(?::(.*))?$/s.exec(at);
  if (!isOn(args, "fleet") && !labels) return await withHost(args, work);
  if (at !== undefined && isOn(args, "fleet"))
    throw new LimpetError("BAD_OPTION", "--at and --fleet cannot be combined. Use --at fleet:LABELS, or --fleet.");
  return await withFleet(args, labels?.[1], work);
}

async function during<T>(sessions: HostClient, work: (sessions: HostClient) => Promise<T>): Promise<T> {
  try {
    return await work(sessions);
  } finally {
    sessions.disconnect();
  }
}

interface AtOptions {
  /** Default: the person at this terminal. */
  readonly asks?: "nobody";
  /** Sends Node to a place that has none. */
  readonly bringsNode?: boolean;
}

/**
 * The sessions of a place, by its address or its name in `config.json`. Their answers have that name. If ssh must ask
 * something, it asks the person at this terminal; `asks: "nobody"` is for commands that reach several places at once.
 */
export async function clientAt(address: string, { asks, bringsNode = false }: AtOptions = {}): Promise<HostClient> {
  if (isInFleet(address)) return await clientInFleet(address);
  const [{ connectPlace }, { isHosted, placeOf }, { placedService }, { showNodeProgress }] = await Promise.all([
    import("../places/connect-place.ts"),
    import("../places/place-address.ts"),
    import("../places/spanning/placed-service.ts"),
    import("./print/show-node-progress.ts"),
  ]);
  const place = placeOf(address, placesSetting());
  const brings = bringsNode && isHosted(place) && !place.setting.bringNode;
  const client = connectPlace({
    place: brings ? { ...place, setting: { ...place.setting, bringNode: true } } : place,
    stateDirectory: stateDirectory(),
    asks: asks ?? (process.stderr.isTTY ? "terminal" : "nobody"),
    onProgress: showNodeProgress(),
  });
  return { ...client, ...placedService(client, address) };
}

/** `fleet:LABELS`, or the name of a host. A name from `config.json` wins. */
function isInFleet(address: string): boolean {
  if (isWholeFleet(address)) return true;
  return !Object.hasOwn(placesSetting(), address) && !address.includes(":") && fleetSetting() !== undefined;
}

/** `fleet` or `fleet:LABELS`. */
function isWholeFleet(address: string): boolean {
  return /^fleet(?::|$)/.test(address) && !Object.hasOwn(placesSetting(), address);
}

async function clientInFleet(address: string): Promise<HostClient> {
  const { hostOfFleet, needsOneHost, openFleetClient } = await import("./fleet/fleet-clients.ts");
  if (isWholeFleet(address)) throw needsOneHost();
  return hostOfFleet(openFleetClient({}), address);
}

/** The sessions with these keys, which may be names without a host: `dev` instead of `gpu-1/dev`. */
async function clientForKeys(address: string, keys: readonly string[]): Promise<HostClient> {
  const { allOfFleet, fleetLabels, hostOfSession, openFleetClient } = await import("./fleet/fleet-clients.ts");
  const [key, ...more] = keys;
  if (key === undefined) return await clientInFleet(address);
  const door = openFleetClient({});
  const labels = fleetLabels(address) ?? undefined;
  if (more.length > 0) return allOfFleet(door, labels);
  try {
    return await hostOfSession(door, labels, key);
  } catch (error) {
    await door.close();
    throw error;
  }
}

/** The sessions of all hosts of the fleet, or of those with these labels. `args`: where NATS is. */
async function withFleet<T>(
  args: Args,
  labels: string | undefined,
  work: (sessions: HostClient) => Promise<T>,
): Promise<T> {
  const { allOfFleet, openFleetClient } = await import("./fleet/fleet-clients.ts");
  return await during(allOfFleet(openFleetClient(args), labels), work);
}

async function clientAcross(places: readonly string[]): Promise<HostClient> {
  const { SpanningService } = await import("../places/spanning/spanning-service.ts");
  const here = clientHere();
  const others = await Promise.all(
    places.map(async (name) => ({ name, service: await clientAt(name, { asks: "nobody" }) })),
  );
  const spanning = new SpanningService({ here, places: others });
  const disconnect = () => {
    for (const client of [here, ...others.map(({ service }) => service)]) client.disconnect();
  };
  return { ...here, ...spanning, disconnect };
}

/** `cwd`: where a program is started, if not in the current directory. Its session belongs to the project there. */
function clientHere(cwd?: string): HostClient {
  const project = cwd === undefined ? {} : { project: findProject(cwd) };
  return connectHost({ stateDirectory: stateDirectory(), reach: "user", env: personEnv, ...project });
}

async function clientFor(args: Args): Promise<HostClient> {
  const at = textOf(args, "at");
  const one = textOf(args, "id");
  const keys = [...(one === undefined ? [] : [one]), ...listOf(args, "ids")];
  if (at !== undefined && isWholeFleet(at)) return await clientForKeys(at, keys);
  if (at !== undefined) return await clientAt(at, { bringsNode: isOn(args, "bring-node") });
  const places = [...new Set(keys.map((key) => parseSessionKey(key).place))];
  const [first] = places;
  if (first === undefined || (first === null && places.length === 1)) return clientHere(textOf(args, "cwd"));
  if (first !== null && places.length === 1) return await clientAt(first);
  return await clientAcross(places.filter((place) => place !== null));
}
