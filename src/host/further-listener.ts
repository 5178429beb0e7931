/** Something that brings clients to a host beside its socket, such as a fleet. */
import type { Duplex } from "node:stream";
import type { SessionService } from "../service/session-service.ts";

/** A host, for whoever brings it clients. */
export interface OpenHost {
  /** Different for each start of a host. */
  readonly instance: string;
  /** The maximum number of running sessions. */
  readonly maxSessions: number;
  countRunning(): number;
  /** The path of a file in the host's directory. */
  file(name: string): string;
  /** Serves a client over this stream. Whoever brings it vouches for it: it counts as a person. */
  accept(stream: Duplex, options: AcceptOptions): void;
}

export interface AcceptOptions {
  /** What the client may do with its sessions. */
  readonly view: (sessions: SessionService) => SessionService;
}

export interface FurtherListener {
  /** Its clients are disconnected. Resolves when nothing is left of it. */
  close(): Promise<void>;
}
