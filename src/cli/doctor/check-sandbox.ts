import type { ConnectObstacle } from "../../safety/sandbox/network/require-connects.ts";
import type { Finding } from "./finding.ts";

const check = "sandbox";
const NO_SANDBOX =
  'A session with a sandbox cannot be started; without one, limpet works. To fix this, use Linux 6.2 or later with "landlock" in the list of security modules.';
/** The first version with rules about connections. */
const HOSTS_SINCE = 4;

export interface SandboxFacts {
  /** Which version of Landlock this kernel has; 0 for none. */
  readonly version: number;
  /** Why programs cannot be connected to the hosts of a list; undefined if they can. */
  readonly obstacle: ConnectObstacle | undefined;
}

/** Pure. */
export function checkSandbox({ version, obstacle }: SandboxFacts): Finding {
  if (version === 0) return { check, verdict: "warn", what: "this kernel has no Landlock", meaning: NO_SANDBOX };
  const what = `Landlock version ${version}`;
  if (version < 3) return { check, verdict: "warn", what, meaning: NO_SANDBOX };
  const { reason, fix } = obstacle ?? {};
  const limits = [
    ...(version < HOSTS_SINCE ? ["a list of hosts is refused. To fix this, use Linux 6.7 or later."] : []),
    ...(reason !== undefined ? [`a list of hosts is refused: ${reason}. To fix this, ${fix}.`] : []),
    ...(version < 6 ? ["programs can signal others of this user. To fix this, use Linux 6.12 or later."] : []),
  ];
  if (limits.length === 0) return { check, verdict: "ok", what, meaning: "Sandboxes work." };
  return { check, verdict: "warn", what, meaning: `Sandboxes work, but ${limits.join(" Also, ")}` };
}
