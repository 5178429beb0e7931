/**
 * A sandbox: its programs cannot change files outside of it, cannot read credentials, and cannot reach the user's other
 * processes. Applies to everything that a session starts.
 */
import type { SandboxRequest } from "../../base/sandbox-request.ts";

/** What a sandbox allows, and where. */
export interface Sandbox extends SandboxRequest {
  /** The folder that a `workspace` can change. Default: the working directory of the program. */
  readonly project?: string | undefined;
  /** Further folders that a `workspace` can change. `~` is the home directory. Default: a cache of its own. */
  readonly caches?: readonly string[] | undefined;
  /** Further paths that its programs cannot read, such as the state of the host that starts them. */
  readonly own?: readonly string[] | undefined;
}
