/** The sandbox that a command line asks for. */
import { LimpetError } from "../../base/limpet-error.ts";
import { SANDBOX_FILES, type SandboxRequest } from "../../base/sandbox-request.ts";
import { parseAllowedHost } from "../../safety/sandbox/network/allowed-host.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import type { ArgSpecs, Args } from "./command.ts";
import { isOn, listOf, textOf } from "./read-args.ts";

/** As people read it: the narrow one first. */
const KNOWN = [...SANDBOX_FILES].reverse();

export const sandboxArgs: ArgSpecs = {
  sandbox: {
    type: "string",
    hint: KNOWN.join("|"),
    description: "What programs may change: nothing, or the project. Keys and credentials cannot be read",
  },
  "no-network": { type: "boolean", description: "With --sandbox: no connections" },
  "allow-host": {
    type: "string",
    isList: true,
    hint: "HOST[:PORT]",
    description: "With --sandbox: connections to this host alone, such as *.example.com; may be repeated",
  },
};

/** Undefined without --sandbox. */
export function sandboxOf(args: Args): SandboxRequest | undefined {
  const files = textOf(args, "sandbox");
  const hosts = listOf(args, "allow-host");
  const isOffline = isOn(args, "no-network");
  if (files === undefined) {
    if (!isOffline && hosts.length === 0) return undefined;
    const flag = isOffline ? "--no-network" : "--allow-host";
    throw new LimpetError("BAD_OPTION", `${flag} needs a sandbox. Add --sandbox workspace or --sandbox read-only.`);
  }
  const known = KNOWN.find((each) => each === files);
  if (!known) {
    const next = `Give --sandbox one of: ${KNOWN.join(", ")}.`;
    throw new LimpetError("BAD_OPTION", `Unknown sandbox ${JSON.stringify(files)}. ${next}`);
  }
  if (isOffline && hosts.length > 0)
    throw new LimpetError("BAD_OPTION", "--no-network allows no --allow-host. Leave one of them out.");
  const odd = hosts.find((host) => !parseAllowedHost(host));
  if (odd !== undefined) {
    const next = "Use a name such as example.com, *.example.com or example.com:8443.";
    throw new LimpetError("BAD_OPTION", `${quoteLine(odd)} is not a host for --allow-host. ${next}`);
  }
  return { files: known, ...(isOffline ? { network: "off" } : hosts.length > 0 ? { network: hosts } : {}) };
}
