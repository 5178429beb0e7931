/** Pure: whether the kernel can enforce what is asked of a sandbox. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { SandboxKeeper, SandboxNetwork } from "../../base/sandbox-request.ts";

/** The version of Landlock that is needed, and the first Linux that has it. */
interface Need {
  readonly version: number;
  readonly linux: string;
  /** What to do without it. */
  readonly otherwise: string;
}

/** Before version 3, files outside of the sandbox could be emptied. */
const FILES: Need = { version: 3, linux: "6.2", otherwise: 'pass sandbox "off"' };
/** Refuses connections: a thread outside connects to limpet's proxy instead. */
const HOSTS: Need = { version: 4, linux: "6.7", otherwise: 'set its network to "on" or "off"' };

/** Throws `SANDBOX_UNAVAILABLE`: nothing ever runs without the sandbox that was asked for. */
export function requireLandlock(
  version: number,
  { network, keeper }: { readonly network: SandboxNetwork; readonly keeper: SandboxKeeper },
): void {
  if (network === "loopback" && keeper === "landlock") {
    const next = 'Set "with" to "bwrap", or the network to a list such as ["localhost:3000"].';
    throw new LimpetError(
      "SANDBOX_UNAVAILABLE",
      `Landlock cannot limit the network to "loopback": its rules know ports, not hosts. ${next}`,
    );
  }
  const need = typeof network === "string" ? FILES : HOSTS;
  if (version >= need.version) return;
  const why = version === 0 ? "this kernel has no Landlock" : `this kernel has version ${version} of Landlock`;
  const what = need === HOSTS && version >= FILES.version ? "A sandbox with a list of hosts" : "The sandbox";
  throw new LimpetError(
    "SANDBOX_UNAVAILABLE",
    `${what} is not available: ${why}, and ${need.version} is needed. Use Linux ${need.linux} or newer with "landlock" in its list of security modules, or ${need.otherwise}.`,
  );
}
