/** The setting `sandbox`: the most that programs of agents may do. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import { badSetting, type GivenSetting } from "./bad-setting.ts";

const REMEDY = 'Use "read-only", "workspace", or an object such as { "files": "workspace", "network": "off" }.';

export function readSandbox(given: GivenSetting): SandboxRequest {
  const { value } = given;
  const parts = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { files: value };
  const { files, network, ...others } = parts as Partial<Record<"files" | "network", unknown>>;
  const isKnown = files === "read-only" || files === "workspace";
  const isNetwork = network === undefined || network === "on" || network === "off";
  if (isKnown && isNetwork && Object.keys(others).length === 0) return { files, ...(network ? { network } : {}) };
  throw badSetting(given, `has ${JSON.stringify(value)} for sandbox`, REMEDY);
}
