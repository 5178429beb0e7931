/** The sandbox that a command line asks for. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { ArgSpecs, Args } from "./command.ts";
import { isOn, textOf } from "./read-args.ts";

export const sandboxArgs: ArgSpecs = {
  sandbox: {
    type: "string",
    hint: "read-only|workspace",
    description: "What programs may change: nothing, or the project. Keys and credentials cannot be read",
  },
  "no-network": { type: "boolean", description: "With --sandbox: no connections" },
};

/** Undefined without --sandbox. */
export function sandboxOf(args: Args): SandboxRequest | undefined {
  const files = textOf(args, "sandbox");
  const isOffline = isOn(args, "no-network");
  if (files === undefined) {
    if (!isOffline) return undefined;
    throw new LimpetError(
      "BAD_OPTION",
      "--no-network needs a sandbox. Add --sandbox workspace or --sandbox read-only.",
    );
  }
  if (files !== "read-only" && files !== "workspace") {
    throw new LimpetError(
      "BAD_OPTION",
      `Unknown sandbox ${JSON.stringify(files)}. Give --sandbox one of: read-only, workspace.`,
    );
  }
  return { files, ...(isOffline ? { network: "off" } : {}) };
}
