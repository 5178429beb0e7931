/** Resolves a place: an address such as `ssh:HOST`, a name from `config.json`, or a command that reaches it. */
import { LimpetError } from "../base/limpet-error.ts";
import type { PlaceSetting } from "../config/settings/read-places.ts";
import { type Container, execArgv, requireContainer } from "../transport/container/container.ts";
import { bootstrapScript } from "./boot/bootstrap-script.ts";
import { requireImage } from "./container/image-words.ts";
import { requireDestination } from "./ssh/ssh-argv.ts";

/** An address, or the name of a place in `config.json`. */
export type PlaceAddress = string | PlaceSetting;

export interface Place {
  /** The name of the place in messages. */
  readonly name: string;
  readonly setting: PlaceSetting;
}

/** A place whose host runs there, unlike an image. */
export interface HostedPlace extends Place {
  readonly setting: Exclude<PlaceSetting, { readonly image: string }>;
}

/** A place that is reached by a command that never prompts, unlike ssh. */
interface CommandPlace extends Place {
  readonly setting: Exclude<HostedPlace["setting"], { readonly ssh: string }>;
}

export type NamedPlaces = Readonly<Record<string, PlaceSetting>>;

/** The prefixes of addresses, each with a function that makes a setting of the rest. */
const ADDRESSES: Readonly<Record<string, (rest: string) => PlaceSetting>> = {
  ssh: (ssh) => ({ ssh }),
  docker: (docker) => ({ docker }),
  podman: (podman) => ({ podman }),
  image: (image) => ({ image }),
};

/** Pure. */
export function placeOf(address: PlaceAddress, named: NamedPlaces): Place {
  if (typeof address !== "string") return { name: describe(address), setting: checked(address) };
  const setting = Object.hasOwn(named, address) ? named[address] : undefined;
  if (setting) return { name: address, setting: checked(setting) };
  const [, kind = "", rest = ""] = /^([a-z]+):(.*)$/s.exec(address) ?? [];
  if (Object.hasOwn(ADDRESSES, kind)) {
    const addressed = ADDRESSES[kind]?.(rest);
    if (addressed) return { name: address, setting: checked(addressed) };
  }
  const known = ["ssh:HOST", "docker:NAME", "podman:NAME", "image:NAME", ...Object.keys(named)].join(", ");
  throw new LimpetError("BAD_OPTION", `${JSON.stringify(address)} is not a place. Use one of: ${known}.`);
}

/** The command that runs the bootstrap at the place. Pure. */
export function argvOf(place: CommandPlace, nonce: string): readonly string[] {
  const command = ["/bin/sh", "-c", bootstrapScript(nonce)];
  const container = containerOf(place);
  if (container) return execArgv(container, command);
  const { setting } = place;
  if ("via" in setting) return [...setting.via, ...command];
  const folder = "devcontainer" in setting ? setting.devcontainer : "";
  return ["devcontainer", "exec", "--workspace-folder", folder, ...command];
}

export function isHosted(place: Place): place is HostedPlace {
  return !("image" in place.setting);
}

/** The running container of the place; undefined for other places. Pure. */
export function containerOf({ setting }: Place): Container | undefined {
  if ("docker" in setting) return { engine: "docker", name: setting.docker };
  return "podman" in setting ? { engine: "podman", name: setting.podman } : undefined;
}

function describe(setting: PlaceSetting): string {
  if ("via" in setting) return setting.via.join(" ").slice(0, 100);
  const [kind = "", name = ""] = Object.entries(setting)[0] ?? [];
  return `${kind}:${name}`;
}

function checked(setting: PlaceSetting): PlaceSetting {
  if ("docker" in setting) requireContainer(setting.docker);
  else if ("podman" in setting) requireContainer(setting.podman);
  else if ("image" in setting) requireImage(setting.image);
  else if ("ssh" in setting) requireDestination(setting.ssh);
  else if ("devcontainer" in setting) requireFolder(setting.devcontainer);
  else requireCommand(setting.via);
  return setting;
}

/** A path that starts with a hyphen would be an option of the tool. */
function requireFolder(folder: string): void {
  if (folder !== "" && !folder.startsWith("-")) return;
  throw new LimpetError("BAD_OPTION", `${JSON.stringify(folder)} is not a folder. Use the folder of a dev container.`);
}

function requireCommand(via: readonly string[]): void {
  const isCommand = Array.isArray(via) && via.length > 0 && via.every((word) => word !== "");
  if (isCommand) return;
  throw new LimpetError("BAD_OPTION", "via is not a command. Use a program and its arguments, as an array of strings.");
}
