/** The setting `env`: which variables programs get. */
import type { EnvRules } from "../../transport/env/select-env.ts";
import { badSetting, type GivenSetting, isRecord, isText } from "./bad-setting.ts";

const REMEDY =
  'Use an object with pass and withhold (lists of names, which may contain *) and set ({ "NAME": "value" }).';

export function readEnv(given: GivenSetting): EnvRules {
  const { value } = given;
  if (!isRecord(value)) throw badSetting(given, "has a bad value for env", REMEDY);
  for (const [key, part] of Object.entries(value)) {
    const isNames = (key === "pass" || key === "withhold") && Array.isArray(part) && part.every(isText);
    const isValues = key === "set" && isRecord(part) && Object.values(part).every(isText);
    if (!isNames && !isValues) throw badSetting(given, `has a bad value for env.${key}`, REMEDY);
  }
  return value as EnvRules;
}
