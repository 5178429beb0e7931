/** How a client asks for a connection to its host. */
import type { HostStream } from "./host-stream.ts";

export interface ConnectRequest {
  readonly mayStart: boolean;
  /**
   * Who wants it: a call that acts on sessions, one that only looks, or nobody, because the link broke. A person may be
   * asked to log in for the first one.
   */
  readonly purpose: "act" | "look" | "return";
  /** The host that speaks this protocol, beside ours. Default: ours. */
  readonly protocol?: number;
  /** Called with the protocols of the other hosts there. */
  readonly onOthers?: (protocols: readonly number[]) => void;
  /** Aborted when the client is closed: then nothing more is started or sent. */
  readonly signal?: AbortSignal;
}

/** Undefined if no host runs and none may be started. */
export type Connect = (request: ConnectRequest) => Promise<HostStream | undefined>;
