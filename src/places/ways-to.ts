/** The ways to a place. */
import { argvOf, type Place } from "./place-address.ts";
import { SshWays } from "./ssh/ssh-ways.ts";
import type { Way } from "./way.ts";

export interface Ways {
  /** For the next link. */
  next(): Promise<Way>;
}

/** `stateDirectory`: limpet's own directory on this machine. */
export function waysTo({ setting }: Place, stateDirectory: string): Ways {
  if ("via" in setting) {
    return { next: async () => ({ argvFor: (nonce) => argvOf(setting, nonce), isShared: false }) };
  }
  const { ssh: destination, config } = setting;
  return new SshWays({ target: { destination, ...(config === undefined ? {} : { config }) }, stateDirectory });
}
