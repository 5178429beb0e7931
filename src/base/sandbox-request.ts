/** What programs may change, from wide to narrow. */
export const SANDBOX_FILES = ["workspace", "read-only"] as const;

/** What programs may connect to, if it is not a list of hosts. */
export const SANDBOX_NETWORKS = ["on", "loopback", "off"] as const;

/**
 * `on`: everything. `off`: nothing, not even on this machine. A list: these hosts, through a proxy of limpet, such as
 * `registry.example`, `*.example.com` or `example.com:8443`. `loopback`: this machine only, which is refused, because
 * no rule of the kernel can keep it; list `localhost` with a port instead.
 */
export type SandboxNetwork = (typeof SANDBOX_NETWORKS)[number] | readonly string[];

/** A sandbox as callers ask for it: what the programs of a session may change, and what they may connect to. */
export interface SandboxRequest {
  /** `read-only`: nothing but a temporary directory. `workspace`: the project and caches, too. */
  readonly files: (typeof SANDBOX_FILES)[number];
  /** Default `on`. */
  readonly network?: SandboxNetwork | undefined;
  /** Files of the project that run code later and may still be changed, such as `.envrc`. Default: none. */
  readonly allowChanges?: readonly string[] | undefined;
}

/** Pure: in words, for lists and messages. */
export function describeSandbox(sandbox: SandboxRequest | undefined): string {
  if (!sandbox) return "no sandbox";
  const { files, network = "on" } = sandbox;
  return `${files}${describeNetwork(network)}`;
}

function describeNetwork(network: SandboxNetwork): string {
  if (network === "on") return "";
  if (network === "off") return ", no network";
  return network === "loopback" ? ", network: loopback" : `, network: ${network.join(" ") || "no hosts"}`;
}
