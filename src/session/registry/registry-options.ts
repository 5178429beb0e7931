import type { OpenOptions } from "../open/open-options.ts";

/** The limits of a registry, and the options that its sessions share. */
export interface RegistryOptions {
  /** The maximum number of live sessions, 1 to 100,000. Default 64. */
  readonly maxSessions?: number;
  /**
   * Closes a session that no caller has used for this long. Opening it, `get`, and `use` until it returns count as use.
   * Default: never.
   */
  readonly idleMs?: number;
  /** Options for every session. The session's own options take precedence. */
  readonly defaults?: Pick<
    OpenOptions,
    "stateDirectory" | "diskBytes" | "journalBytes" | "transport" | "baseEnv" | "redaction"
  >;
}
