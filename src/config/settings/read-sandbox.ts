/** The setting `sandbox`: the most that programs of agents may do. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import { SANDBOX_REMEDY, readSandbox as sandboxOf } from "../../safety/sandbox/read-sandbox.ts";
import { badSetting, type GivenSetting } from "./bad-setting.ts";

export function readSandbox(given: GivenSetting): SandboxRequest {
  const sandbox = sandboxOf(given.value);
  if (sandbox) return sandbox;
  throw badSetting(given, `has ${JSON.stringify(given.value)} for sandbox`, SANDBOX_REMEDY);
}
