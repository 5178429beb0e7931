/** The setting `places`: other machines and containers, by name. */
import { badSetting, type GivenSetting, isText } from "./bad-setting.ts";

/** How a place is reached: by ssh, into a container, or by a command that runs a program there. */
export type PlaceSetting = SshSetting | ViaSetting | DockerSetting | PodmanSetting | ImageSetting | DevcontainerSetting;

/** A place in which a host can run. */
interface HostedSetting {
  /** A place without Node gets one: that of this process, or the one in this file. Default: it is refused. */
  readonly bringNode?: boolean | string;
}

interface SshSetting extends HostedSetting {
  /** A host, an alias of the ssh configuration, or user@host. */
  readonly ssh: string;
  /** An ssh_config(5) to use instead of the user's. */
  readonly config?: string;
}

interface ViaSetting extends HostedSetting {
  /** The words before the program, such as `["kubectl", "exec", "-i", "pod", "--"]`. */
  readonly via: readonly string[];
}

interface DockerSetting extends HostedSetting {
  /** A running container, by name or id, as `docker` finds it. */
  readonly docker: string;
}

interface PodmanSetting extends HostedSetting {
  /** A running container, by name or id, as `podman` finds it. */
  readonly podman: string;
}

interface ImageSetting {
  /** Sessions run in containers of this image, such as `debian:12`, with or without a digest. */
  readonly image: string;
  /** Default: docker if it is installed, else podman. */
  readonly engine?: "docker" | "podman";
  /** One container for all sessions of the workspace. Default: a fresh one for each session. */
  readonly reuse?: boolean;
  /**
   * The directory that the containers have under the same path. Default: the project around the working directory of
   * whoever connects.
   */
  readonly workspace?: string;
}

interface DevcontainerSetting extends HostedSetting {
  /** The folder of a running dev container, for the command line tool `devcontainer`. */
  readonly devcontainer: string;
}

const REMEDY =
  'Use, for example, { "build": { "ssh": "me@build" }, "db": { "docker": "pg" }, "ci": { "via": ["sudo", "-u", "ci"] } }.';
/** Neither an address nor a session's id. */
const NAME = /^[A-Za-z_][\w.-]{0,63}$/;

type Fits = (value: unknown) => boolean;

/** What the values of a kind of place must be. The first key makes the kind. */
const HOSTED = { bringNode: optional((value) => isText(value) || typeof value === "boolean") };
const KINDS: readonly Readonly<Record<string, Fits>>[] = [
  { ssh: isText, config: optional(isText), ...HOSTED },
  { via: isCommand, ...HOSTED },
  { docker: isText, ...HOSTED },
  { podman: isText, ...HOSTED },
  {
    image: isText,
    engine: optional((value) => value === "docker" || value === "podman"),
    reuse: optional((value) => typeof value === "boolean"),
    workspace: optional(isText),
  },
  { devcontainer: isText, ...HOSTED },
];
/** Values that are paths of this machine. */
const PATHS: readonly string[] = ["config", "bringNode", "workspace", "devcontainer"];

export function readPlaces(given: GivenSetting): Readonly<Record<string, PlaceSetting>> {
  const { value } = given;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badSetting(given, `has ${JSON.stringify(value)} for places`, REMEDY);
  return Object.fromEntries(Object.entries(value).map(([name, place]) => [name, readPlace(given, name, place)]));
}

function readPlace(given: GivenSetting, name: string, place: unknown): PlaceSetting {
  if (!NAME.test(name) || name === "local")
    throw badSetting(given, `has a place with the name ${JSON.stringify(name)}`, "Use letters, digits, - _ and .");
  if (!isPlace(place)) throw badSetting(given, `has ${JSON.stringify(place)} for the place ${name}`, REMEDY);
  const atHome = Object.entries(place).map(([key, value]) => [
    key,
    PATHS.includes(key) && isText(value) ? value.replace(/^~(?=\/|$)/, given.home) : value,
  ]);
  return Object.fromEntries(atHome) as PlaceSetting;
}

function isPlace(place: unknown): place is PlaceSetting {
  if (typeof place !== "object" || place === null) return false;
  return KINDS.some((kind) => {
    const isKnown = Object.keys(place).every((key) => Object.hasOwn(kind, key));
    return isKnown && Object.entries(kind).every(([key, fits]) => fits((place as Record<string, unknown>)[key]));
  });
}

function isCommand(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function optional(fits: Fits): Fits {
  return (value) => value === undefined || fits(value);
}
