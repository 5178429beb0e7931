/** The setting `limits`: the most that programs of agents may use. */
import { LimpetError } from "../../base/limpet-error.ts";
import { parseLimits, type SessionLimits } from "../../base/session-limits.ts";
import { badSetting, type GivenSetting, isRecord } from "./bad-setting.ts";

const REMEDY = 'Use an object such as { "memory": "2G", "processes": 200, "cpuTime": "10m", "wallTime": "2h" }.';

export function readLimits(given: GivenSetting): SessionLimits {
  if (!isRecord(given.value)) throw badSetting(given, "has a bad value for limits", REMEDY);
  try {
    return parseLimits(given.value);
  } catch (error) {
    if (!(error instanceof LimpetError)) throw error;
    const [what = ""] = error.message.split(". ");
    throw badSetting(given, `has a bad value in limits: ${what}`, REMEDY);
  }
}
