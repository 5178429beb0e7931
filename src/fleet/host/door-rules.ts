/** What the user of a host has decided, and doors cannot change: the settings that bind what they ask for. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionLimits } from "../../base/session-limits.ts";
import type { PolicyOptions } from "../../tools/guard/policy-options.ts";

/** Each function is called before each act. */
export interface DoorRules {
  /** The widest sandbox; undefined: none is needed. */
  readonly ceiling: () => SandboxRequest | undefined;
  /** The most that programs may use; undefined: no limits. */
  readonly limits: () => SessionLimits | undefined;
  /** The doors whose users are people; what others type is an agent's. Undefined: all of them are. */
  readonly people?: readonly string[] | undefined;
  /** The rules of `policy.json`. */
  readonly policy: Pick<PolicyOptions, "rules" | "timeoutMs">;
}
