/** The settings `approval` and `approvalTimeout`: who may approve what an agent wants to do, and for how long. */
import { DURATION_REMEDY, parseDuration } from "../../base/format/parse-duration.ts";
import { badSetting, type GivenSetting } from "./bad-setting.ts";

/** `any`: also through the agent's client. `person`: only with limpet itself. */
export type ApprovalSource = "any" | "person";

export function readApproval(given: GivenSetting): ApprovalSource {
  const { value } = given;
  if (value === "any" || value === "person") return value;
  throw badSetting(given, `has ${JSON.stringify(value)} for approval`, 'Use "any" or "person".');
}

export function readApprovalTimeout(given: GivenSetting): number {
  const { value } = given;
  const ms = typeof value === "string" ? parseDuration(value) : undefined;
  if (ms !== undefined && ms > 0) return ms;
  throw badSetting(given, `has ${JSON.stringify(value)} for approvalTimeout`, `Use ${DURATION_REMEDY}.`);
}
