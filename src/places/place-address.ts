/** Where a place is: `ssh:HOST`, a name from `config.json`, or a command that reaches it. */
import { LimpetError } from "../base/limpet-error.ts";
import type { PlaceSetting } from "../config/settings/read-places.ts";
import { bootstrapScript } from "./bootstrap-script.ts";
import { requireDestination } from "./ssh/ssh-argv.ts";

/** An address, or the name of a place in `config.json`. */
export type PlaceAddress = string | PlaceSetting;

export interface Place {
  /** How messages name it. */
  readonly name: string;
  readonly setting: PlaceSetting;
}

export type NamedPlaces = Readonly<Record<string, PlaceSetting>>;

/** Pure. */
export function placeOf(address: PlaceAddress, named: NamedPlaces): Place {
  if (typeof address !== "string") return { name: describe(address), setting: checked(address) };
  const setting = Object.hasOwn(named, address) ? named[address] : undefined;
  if (setting) return { name: address, setting: checked(setting) };
  const [, destination] = /^ssh:(.*)$/s.exec(address) ?? [];
  if (destination !== undefined) return { name: address, setting: checked({ ssh: destination }) };
  const known = ["ssh:HOST", ...Object.keys(named)].join(", ");
  throw new LimpetError("BAD_OPTION", `${JSON.stringify(address)} is not a place. Use one of: ${known}.`);
}

/** Pure: the command that runs the bootstrap there. */
export function argvOf({ via }: Extract<PlaceSetting, { readonly via: unknown }>, nonce: string): readonly string[] {
  return [...via, "/bin/sh", "-c", bootstrapScript(nonce)];
}

function describe(setting: PlaceSetting): string {
  return "ssh" in setting ? `ssh:${setting.ssh}` : setting.via.join(" ").slice(0, 100);
}

function checked(setting: PlaceSetting): PlaceSetting {
  if ("ssh" in setting) {
    requireDestination(setting.ssh);
    return setting;
  }
  const isCommand = Array.isArray(setting.via) && setting.via.length > 0 && setting.via.every((word) => word !== "");
  if (isCommand) return setting;
  throw new LimpetError("BAD_OPTION", "via is not a command. Use a program and its arguments, as an array of strings.");
}
