/** The setting `places`: other machines and containers, by name. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import { SANDBOX_REMEDY, readSandbox as sandboxOf } from "../../safety/sandbox/read-sandbox.ts";
import { badSetting, type GivenSetting, isRecord, isText } from "./bad-setting.ts";

/** What holds for programs at a place. */
export interface PlaceDefaults {
  /** The most that programs of agents may do there, instead of what holds here. */
  readonly sandbox?: SandboxRequest | "off";
  /** Variables for every program there. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where programs start, and what relative directories are relative to. Default: the home directory there. */
  readonly directory?: string;
}

/** How a place is reached, and what holds there. */
export type PlaceSetting = PlaceReach & PlaceDefaults;

/** By ssh, or by a command that runs a program there. */
type PlaceReach =
  | {
      /** A host, an alias of the ssh configuration, or user@host. */
      readonly ssh: string;
      /** An ssh_config(5) to use instead of the user's. */
      readonly config?: string;
    }
  | {
      /** The words before the program, such as `["kubectl", "exec", "-i", "pod", "--"]`. */
      readonly via: readonly string[];
    };

const REMEDY = 'Use, for example, { "build": { "ssh": "me@build" }, "ci": { "via": ["sudo", "-u", "ci"] } }.';
/** Neither an address nor a session's id. */
const NAME = /^[A-Za-z_][\w.-]{0,63}$/;

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
  const { ssh, via, ...others } = place;
  const { config, ...unknown } = others;
  const isSsh = isText(ssh) && via === undefined && (config === undefined || isText(config));
  const isVia = Array.isArray(via) && via.length > 0 && via.every(isText) && ssh === undefined && config === undefined;
  if (Object.keys(unknown).length > 0 || isSsh === isVia)
    throw badSetting(given, `has ${JSON.stringify(place)} for the place ${name}`, REMEDY);
  if (!isSsh) return { via: via as readonly string[] };
  return { ssh, ...(isText(config) ? { config: config.replace(/^~(?=\/|$)/, given.home) } : {}) };
}
