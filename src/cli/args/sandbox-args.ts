/** The sandbox that a command line asks for. */
import { LimpetError } from "../../base/limpet-error.ts";
import { SANDBOX_FILES, type SandboxNetwork, type SandboxRequest } from "../../base/sandbox-request.ts";
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
  loopback: { type: "boolean", description: "With --sandbox: connections between its own programs only; needs bwrap" },
  "allow-host": {
    type: "string",
    isList: true,
    hint: "HOST[:PORT]",
    description: "With --sandbox: connections to this host alone, such as *.example.com; may be repeated",
  },
  bwrap: { type: "boolean", description: "With --sandbox: hide credentials and lock hooks by mounts of bwrap" },
};

/** The flags that need --sandbox. */
const FLAGS = ["no-network", "loopback", "allow-host", "bwrap"];

/** Undefined without --sandbox. */
export function sandboxOf(args: Args): SandboxRequest | undefined {
  const files = textOf(args, "sandbox");
  const given = FLAGS.filter((flag) => isOn(args, flag) || listOf(args, flag).length > 0);
  if (files === undefined) {
    if (given.length === 0) return undefined;
    throw new LimpetError(
      "BAD_OPTION",
      `--${given[0]} needs a sandbox. Add --sandbox workspace or --sandbox read-only.`,
    );
  }
  const known = KNOWN.find((each) => each === files);
  if (!known) {
    const next = `Give --sandbox one of: ${KNOWN.join(", ")}.`;
    throw new LimpetError("BAD_OPTION", `Unknown sandbox ${JSON.stringify(files)}. ${next}`);
  }
  const network = networkOf(args, given);
  return { files: known, ...(network ? { network } : {}), ...(isOn(args, "bwrap") ? { with: "bwrap" } : {}) };
}

function networkOf(args: Args, given: readonly string[]): SandboxNetwork | undefined {
  const [one, other] = given.filter((flag) => flag !== "bwrap");
  if (other !== undefined)
    throw new LimpetError("BAD_OPTION", `--${one} and --${other} cannot be combined. Leave one of them out.`);
  if (one === "no-network") return "off";
  if (one === "loopback") return "loopback";
  const hosts = listOf(args, "allow-host");
  const odd = hosts.find((host) => !parseAllowedHost(host));
  if (odd !== undefined) {
    const next = "Use a name such as example.com, *.example.com or example.com:8443.";
    throw new LimpetError("BAD_OPTION", `${quoteLine(odd)} is not a host for --allow-host. ${next}`);
  }
  return hosts.length > 0 ? hosts : undefined;
}
