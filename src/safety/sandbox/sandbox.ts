/** What a sandbox allows: files and network, for a whole session. */

/** The names that people and agents use. */
export type SandboxName = "off" | "read-only" | "workspace";

/**
 * A sandbox: its programs cannot change files outside of it, cannot read credentials, and cannot reach the user's other
 * processes. Applies to everything that a session starts.
 */
export interface Sandbox {
  /** `read-only`: nothing but a temporary directory can be changed. `workspace`: the project and caches, too. */
  readonly files: Exclude<SandboxName, "off">;
  /** `off`: no connections, not even to this machine. Default `on`. */
  readonly network?: "on" | "off" | undefined;
  /** The folder that a `workspace` can change. Default: the working directory of the program. */
  readonly project?: string | undefined;
  /** Further folders that a `workspace` can change. `~` stands for the home directory. */
  readonly caches?: readonly string[] | undefined;
  /** Further paths that its programs cannot read, such as the state of the host that starts them. */
  readonly own?: readonly string[] | undefined;
}
