/** A process of a session, and what it uses. */
import type { RunningProcess } from "../../transport/probe.ts";

export interface UsingProcess extends RunningProcess {
  /** Memory that nothing else shares. Missing if the session is in an older host. */
  readonly memoryBytes?: number;
  /** Of itself and of ended processes that it waited for. Missing like `memoryBytes`. */
  readonly cpuMs?: number;
}
