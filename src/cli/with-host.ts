/** Connects a command to the user's host while it runs. A person sees the sessions of all projects. */

import { connectHost } from "../host/client/connect-host.ts";
import type { HostClient } from "../host/client/host-client.ts";
import type { Args } from "./args/command.ts";
import { isOn, textOf } from "./args/read-args.ts";
import { personEnv, placesSetting, stateDirectory } from "./settings/settings.ts";

/** The owner of the sessions that a person starts. */
export const PERSON = "person";

/** With `--at`, the host is that of a place. */
export async function withHost<T>(args: Args, work: (sessions: HostClient) => Promise<T>): Promise<T> {
  const place = textOf(args, "at");
  const sessions =
    place === undefined
      ? connectHost({ stateDirectory: stateDirectory(), reach: "user", env: personEnv })
      : await clientAt(place, { bringsNode: isOn(args, "bring-node") });
  try {
    return await work(sessions);
  } finally {
    sessions.disconnect();
  }
}

interface AtOptions {
  /** Default: the person at this terminal. */
  readonly asks?: "nobody";
  /** A place without Node gets one. */
  readonly bringsNode?: boolean;
}

/**
 * The sessions of a place, by its address or its name in `config.json`. If ssh must ask something, it asks the person
 * at this terminal; `asks: "nobody"` is for commands that reach several places at once.
 */
export async function clientAt(address: string, { asks, bringsNode = false }: AtOptions = {}): Promise<HostClient> {
  const [{ connectPlace }, { isHosted, placeOf }, { showNodeProgress }] = await Promise.all([
    import("../places/connect-place.ts"),
    import("../places/place-address.ts"),
    import("./print/node-progress.ts"),
  ]);
  const place = placeOf(address, placesSetting());
  const brings = bringsNode && isHosted(place) && !place.setting.bringNode;
  return connectPlace({
    place: brings ? { ...place, setting: { ...place.setting, bringNode: true } } : place,
    stateDirectory: stateDirectory(),
    asks: asks ?? (process.stderr.isTTY ? "terminal" : "nobody"),
    onProgress: showNodeProgress(),
  });
}
