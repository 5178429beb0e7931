/** What programs may change, from wide to narrow. */
export const SANDBOX_FILES = ["workspace", "read-only"] as const;

/** What programs may connect to, if it is not a list of hosts. */
export const SANDBOX_NETWORKS = ["on", "loopback", "off"] as const;

/** How a sandbox is kept: by rules for a thread of this process, or by the program bwrap. */
export const SANDBOX_MEANS = ["landlock", "bwrap"] as const;

/**
 * `on`: everything. `loopback`: servers of the same session. `off`: nothing, not even on this machine. A list: these
 * hosts, through a proxy of limpet, such as `registry.example`, `*.example.com` or `example.com:8443`.
 */
export type SandboxNetwork = (typeof SANDBOX_NETWORKS)[number] | readonly string[];

/** A sandbox as callers ask for it: what the programs of a session may change, and what they may connect to. */
export interface SandboxRequest {
  /** `read-only`: nothing but a temporary directory. `workspace`: the project and caches, too. */
  readonly files: (typeof SANDBOX_FILES)[number];
  /** Default `on`. */
  readonly network?: SandboxNetwork | undefined;
  /** Default: `bwrap` if something is asked for that only it can keep, else `landlock`. */
  readonly by?: (typeof SANDBOX_MEANS)[number] | undefined;
  /** Files of the project that run code later and may still be changed, such as `.envrc`. Default: none. */
  readonly allowChanges?: readonly string[] | undefined;
}

/** Pure: in words, for lists and messages. */
export function describeSandbox(sandbox: SandboxRequest | undefined): string {
  if (!sandbox) return "no sandbox";
  const { files, network = "on", by } = sandbox;
  return `${files}${describeNetwork(network)}${by === "bwrap" ? ", by bwrap" : ""}`;
}

function describeNetwork(network: SandboxNetwork): string {
  if (network === "on") return "";
  if (network === "off") return ", no network";
  return network === "loopback" ? ", network: loopback" : `, network: ${network.join(" ") || "no hosts"}`;
}
