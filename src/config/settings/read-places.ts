/** The setting `places`: other machines and containers, by name. */
import { badSetting, type GivenSetting, isText } from "./bad-setting.ts";

/** How a place is reached: by ssh, or by a command that runs a program there. */
export type PlaceSetting =
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
  const { ssh, via, ...others } = (typeof place === "object" && place !== null ? place : {}) as Record<string, unknown>;
  const { config, ...unknown } = others;
  const isSsh = isText(ssh) && via === undefined && (config === undefined || isText(config));
  const isVia = Array.isArray(via) && via.length > 0 && via.every(isText) && ssh === undefined && config === undefined;
  if (Object.keys(unknown).length > 0 || isSsh === isVia)
    throw badSetting(given, `has ${JSON.stringify(place)} for the place ${name}`, REMEDY);
  if (!isSsh) return { via: via as readonly string[] };
  return { ssh, ...(isText(config) ? { config: config.replace(/^~(?=\/|$)/, given.home) } : {}) };
}
