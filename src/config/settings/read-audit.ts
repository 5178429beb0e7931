/** The setting `audit`: whether acts are recorded, and whether they must be. */
import type { AuditMode } from "../../safety/audit/audit-log.ts";
import { badSetting, type GivenSetting } from "./bad-setting.ts";

export function readAudit(given: GivenSetting): AuditMode {
  const { value } = given;
  if (value === "on" || value === "off" || value === "required") return value;
  throw badSetting(given, `has ${JSON.stringify(value)} for audit`, 'Use "on", "off" or "required".');
}
