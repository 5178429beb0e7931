/** The ways to a place. */
import { LimpetError } from "../base/limpet-error.ts";
import type { Way } from "./link/way.ts";
import { argvOf, type Place } from "./place-address.ts";
import { SshWays } from "./ssh/ssh-ways.ts";

export interface Ways {
  /** The way for the next link. */
  next(): Promise<Way>;
}

/** `stateDirectory`: limpet's state directory on this machine. */
export function waysTo({ name, setting }: Place, stateDirectory: string): Ways {
  if ("image" in setting)
    throw new LimpetError("BAD_OPTION", `${name} has no host of its own. Connect to it, and limpet starts one.`);
  if (!("ssh" in setting)) {
    return { next: async () => ({ argvFor: (nonce) => argvOf({ name, setting }, nonce), isShared: false }) };
  }
  const { ssh: destination, config } = setting;
  return new SshWays({ target: { destination, ...(config === undefined ? {} : { config }) }, stateDirectory });
}
