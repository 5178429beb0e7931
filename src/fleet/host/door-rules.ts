/** Settings of the host's user that apply to every request of a door. Doors cannot change them. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionLimits } from "../../base/session-limits.ts";
import type { PolicyOptions } from "../../tools/guard/policy-options.ts";

/** Each function is called before each act. */
export interface DoorRules {
  /** The widest sandbox that a door may use. Undefined: no sandbox is needed. */
  readonly ceiling: () => SandboxRequest | undefined;
  /** The highest limits that programs of a door may have. Undefined: no limits. */
  readonly limits: () => SessionLimits | undefined;
  /**
   * The names of the doors that people use. Input through other doors counts as an agent's. Undefined: all doors count
   * as people.
   */
  readonly people?: readonly string[] | undefined;
  /** The rules of `policy.json`. */
  readonly policy: Pick<PolicyOptions, "rules" | "timeoutMs">;
}
