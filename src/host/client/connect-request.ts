/** How a client asks for a connection to its host. */
import type { HostStream } from "./host-stream.ts";

export interface ConnectRequest {
  readonly mayStart: boolean;
  /**
   * Why the client connects. `act`: a call acts on sessions. `look`: a call only reads. `return`: the link broke, and
   * no call waits. A person is asked to log in only for `act`.
   */
  readonly purpose: "act" | "look" | "return";
  /** Connects to the host with this protocol. Default: the host with our protocol. */
  readonly protocol?: number;
  /** Called with the protocols of the other hosts there. */
  readonly onOthers?: (protocols: readonly number[]) => void;
  /** Aborted when the client is closed: then nothing more is started or sent. */
  readonly signal?: AbortSignal;
}

/** Undefined if no host runs and none may be started. */
export type Connect = (request: ConnectRequest) => Promise<HostStream | undefined>;
