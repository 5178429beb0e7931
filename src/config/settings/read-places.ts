/** The setting `places`: other machines and containers, by name. */
import { badSetting, type GivenSetting, isText } from "./bad-setting.ts";

/** How a place is reached: by ssh, into a container, or by a command that runs a program there. */
export type PlaceSetting = SshSetting | ViaSetting | DockerSetting | PodmanSetting;

interface SshSetting {
  /** A host, an alias of the ssh configuration, or user@host. */
  readonly ssh: string;
  /** An ssh_config(5) to use instead of the user's. */
  readonly config?: string;
}

interface ViaSetting {
  /** The words before the program, such as `["kubectl", "exec", "-i", "pod", "--"]`. */
  readonly via: readonly string[];
}

interface DockerSetting {
  /** A running container, by name or id, as `docker` finds it. */
  readonly docker: string;
}

interface PodmanSetting {
  /** A running container, by name or id, as `podman` finds it. */
  readonly podman: string;
}

const REMEDY =
  'Use, for example, { "build": { "ssh": "me@build" }, "db": { "docker": "pg" }, "ci": { "via": ["sudo", "-u", "ci"] } }.';
/** Neither an address nor a session's id. */
const NAME = /^[A-Za-z_][\w.-]{0,63}$/;

/** The keys of each kind of place, and what they must be. The first one makes the kind. */
const KINDS: readonly Readonly<Record<string, (value: unknown) => boolean>>[] = [
  { ssh: isText, config: isMissingOr(isText) },
  { via: isCommand },
  { docker: isText },
  { podman: isText },
];

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
  if (!("config" in place) || place.config === undefined) return place;
  return { ...place, config: place.config.replace(/^~(?=\/|$)/, given.home) };
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

function isMissingOr(fits: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || fits(value);
}
