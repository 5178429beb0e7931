/** What programs may change, from wide to narrow. */
export const SANDBOX_FILES = ["workspace", "read-only"] as const;

/** What programs may connect to, if it is not a list of hosts. */
export const SANDBOX_NETWORKS = ["on", "loopback", "off"] as const;

/**
 * `on`: everything. `off`: nothing, not even on this machine. A list: these hosts, through a proxy of limpet, such as
 * `registry.example`, `*.example.com` or `example.com:8443`. `loopback`: the other programs of the same sandbox, on a
 * loopback address of their own; it needs `bwrap`.
 */
export type SandboxNetwork = (typeof SANDBOX_NETWORKS)[number] | readonly string[];

/** What enforces a sandbox. `bwrap` is Landlock in namespaces of its own. */
export const SANDBOX_KEEPERS = ["landlock", "bwrap"] as const;

export type SandboxKeeper = (typeof SANDBOX_KEEPERS)[number];

/** A sandbox as callers ask for it: what the programs of a session may change, and what they may connect to. */
export interface SandboxRequest {
  /** `read-only`: nothing but a temporary directory. `workspace`: the project and caches, too. */
  readonly files: (typeof SANDBOX_FILES)[number];
  /** Default `on`. */
  readonly network?: SandboxNetwork | undefined;
  /** Files of the project that run code later and may still be changed, such as `.envrc`. Default: none. */
  readonly allowChanges?: readonly string[] | undefined;
  /** Default: `bwrap` for the network `loopback`, else `landlock`. */
  readonly with?: SandboxKeeper | undefined;
}

/** Pure: what enforces a sandbox, also if the request does not name it. */
export function keeperOf({ with: keeper, network }: SandboxRequest): SandboxKeeper {
  return keeper ?? (network === "loopback" ? "bwrap" : "landlock");
}

/** Pure: in words, for lists and messages. */
export function describeSandbox(sandbox: SandboxRequest | undefined): string {
  if (!sandbox) return "no sandbox";
  const { files, network = "on" } = sandbox;
  return `${files}${describeNetwork(network)}${keeperOf(sandbox) === "bwrap" ? ", bwrap" : ""}`;
}

function describeNetwork(network: SandboxNetwork): string {
  if (network === "on") return "";
  if (network === "off") return ", no network";
  return network === "loopback" ? ", network: loopback" : `, network: ${network.join(" ") || "no hosts"}`;
}
