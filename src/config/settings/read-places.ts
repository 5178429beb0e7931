/** The setting `places`: other machines and containers, by name. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import { SANDBOX_REMEDY, readSandbox as sandboxOf } from "../../safety/sandbox/read-sandbox.ts";
import { badSetting, type GivenSetting, isRecord, isText } from "./bad-setting.ts";

/** What applies to programs at a place. */
export interface PlaceDefaults {
  /** The most that programs of agents may do there. Replaces the setting for this machine. */
  readonly sandbox?: SandboxRequest | "off";
  /** Variables for every program there. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where programs start, and what relative directories are relative to. Default: the home directory there. */
  readonly directory?: string;
}

/** How a place is reached, and what applies there. */
export type PlaceSetting = PlaceReach & PlaceDefaults;

/** By ssh, into a container, or by a command that runs a program there. */
type PlaceReach = SshSetting | ViaSetting | DockerSetting | PodmanSetting | ImageSetting | DevcontainerSetting;

/** A place in which a host can run. */
interface HostedSetting {
  /**
   * Sends Node to a place that has none: the Node of this process, or the one in this file. Default: such a place is
   * refused.
   */
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
  const { sandbox, env, directory, ...reach } = (isRecord(place) ? place : {}) as Record<string, unknown>;
  const defaults = readDefaults(given, name, { sandbox, env, directory });
  return { ...readReach(given, name, reach), ...defaults };
}

function readDefaults(
  given: GivenSetting,
  name: string,
  { sandbox, env, directory }: Readonly<Record<keyof PlaceDefaults, unknown>>,
): PlaceDefaults {
  const bad = (field: string, value: unknown, remedy: string) =>
    badSetting(given, `has ${JSON.stringify(value)} for places.${name}.${field}`, remedy);
  const box = sandbox === "off" ? sandbox : sandboxOf(sandbox);
  if (sandbox !== undefined && !box) throw bad("sandbox", sandbox, `${SANDBOX_REMEDY} "off" is possible, too.`);
  const areTexts = isRecord(env) && Object.values(env).every(isText);
  if (env !== undefined && !areTexts) throw bad("env", env, 'Use an object such as { "CI": "1" }.');
  if (directory !== undefined && (!isText(directory) || directory === ""))
    throw bad("directory", directory, "Use a path there, which may start with ~/.");
  return {
    ...(box === undefined ? {} : { sandbox: box }),
    ...(areTexts ? { env: env as Readonly<Record<string, string>> } : {}),
    ...(isText(directory) ? { directory } : {}),
  };
}

function readReach(given: GivenSetting, name: string, place: Readonly<Record<string, unknown>>): PlaceReach {
  if (!isPlace(place)) throw badSetting(given, `has ${JSON.stringify(place)} for the place ${name}`, REMEDY);
  const atHome = Object.entries(place).map(([key, value]) => [
    key,
    PATHS.includes(key) && isText(value) ? value.replace(/^~(?=\/|$)/, given.home) : value,
  ]);
  return Object.fromEntries(atHome) as unknown as PlaceReach;
}

function isPlace(place: Readonly<Record<string, unknown>>): boolean {
  return KINDS.some((kind) => {
    const isKnown = Object.keys(place).every((key) => Object.hasOwn(kind, key));
    return isKnown && Object.entries(kind).every(([key, fits]) => fits(place[key]));
  });
}

function isCommand(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function optional(fits: Fits): Fits {
  return (value) => value === undefined || fits(value);
}
