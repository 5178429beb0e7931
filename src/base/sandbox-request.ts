/** What programs may change, from wide to narrow. */
export const SANDBOX_FILES = ["workspace", "read-only"] as const;

/** A sandbox as callers ask for it: what the programs of a session may change, and whether they have a network. */
export interface SandboxRequest {
  /** `read-only`: nothing but a temporary directory. `workspace`: the project and caches, too. */
  readonly files: (typeof SANDBOX_FILES)[number];
  /** `off`: no connections, not even to this machine. Default `on`. */
  readonly network?: "on" | "off" | undefined;
}

/** Pure: in words, for lists and messages. */
export function describeSandbox(sandbox: SandboxRequest | undefined): string {
  if (!sandbox) return "no sandbox";
  return sandbox.network === "off" ? `${sandbox.files}, no network` : sandbox.files;
}
