/** The setting `fleet`: the NATS server through which the hosts of a fleet are reached, and the credentials for it. */
import { isAbsolute } from "node:path";
import { badSetting, type GivenSetting, isRecord, isText } from "./bad-setting.ts";

export interface FleetSetting {
  /** Its address, or several separated by commas. */
  readonly nats: string;
  /** Paths of files: credentials or the seed of a key, and the certificate authority of the server. */
  readonly creds?: string;
  readonly nkey?: string;
  readonly tlsCa?: string;
  /** The name of the NATS user, if it may use only its own subjects. */
  readonly door?: string;
}

const REMEDY = 'Use, for example, { "nats": "tls://nats:4222", "creds": "~/door.creds" }.';
const FILES = ["creds", "nkey", "tlsCa"] as const;

export function readFleet(given: GivenSetting): FleetSetting {
  const { value, home } = given;
  if (!isRecord(value) || !isText(value["nats"]) || value["nats"] === "")
    throw badSetting(given, "has a bad value for fleet", REMEDY);
  const setting: Record<string, string> = {};
  for (const [key, part] of Object.entries(value)) {
    const isFile = FILES.some((name) => name === key);
    const path = isFile && isText(part) ? part.replace(/^~(?=\/|$)/, home) : part;
    const isGood = isText(path) && (isFile ? isAbsolute(path) : key === "nats" || key === "door");
    if (!isGood) throw badSetting(given, `has a bad value for fleet.${key}`, REMEDY);
    setting[key] = path;
  }
  return setting as unknown as FleetSetting;
}
