/** Finds a place by its address, or by its name in the user's `config.json`. */
import { userConfig } from "../config/user-config.ts";
import { type Place, type PlaceAddress, placeOf } from "./place-address.ts";

// biome-ignore lint/style/noProcessEnv: Where config.json is.
export function knownPlace(address: PlaceAddress, env: NodeJS.ProcessEnv = process.env): Place {
  return placeOf(address, userConfig(env).places ?? {});
}
