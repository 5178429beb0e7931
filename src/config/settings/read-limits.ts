/** The setting `limits`: what programs of agents may use by default, and the most that they can ask for. */
import type { Allowance } from "../../base/allowance.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { narrowLimits, parseLimits, type SessionLimits } from "../../base/session-limits.ts";
import { badSetting, type GivenSetting, isRecord } from "./bad-setting.ts";
import { isPair, pairRemedy } from "./read-pair.ts";

const REMEDY = 'Use an object such as { "memory": "2G", "processes": 200, "cpuTime": "10m", "wallTime": "2h" }.';
const PAIR_REMEDY = pairRemedy('{ "memory": "1G" }', '{ "memory": "4G" }');

/** One set of limits for both, or `{ default, ceiling }`. */
export function readLimits(given: GivenSetting): Allowance<SessionLimits> {
  const { value } = given;
  if (!isPair(value)) {
    const limits = readPart(given, value);
    return { default: limits, ceiling: limits };
  }
  if (value.default === undefined || value.ceiling === undefined)
    throw badSetting(given, "has limits with only one of default and ceiling", PAIR_REMEDY);
  const [usual, ceiling] = [readPart(given, value.default), readPart(given, value.ceiling)];
  return { default: withLine(given, () => narrowLimits(ceiling, usual)), ceiling };
}

function readPart(given: GivenSetting, value: unknown): SessionLimits {
  if (!isRecord(value)) throw badSetting(given, "has a bad value for limits", REMEDY);
  return withLine(given, () => parseLimits(value));
}

function withLine<T>(given: GivenSetting, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LimpetError)) throw error;
    const [what = ""] = error.message.split(". ");
    throw badSetting(given, `has a bad value in limits: ${what}`, REMEDY);
  }
}
