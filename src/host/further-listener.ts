/** Something that brings clients to a host beside its socket, such as a fleet. */
import type { Duplex } from "node:stream";
import type { Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import type { MetricFamily } from "../base/format/open-metrics.ts";
import type { SessionService } from "../service/session-service.ts";
import type { Scope } from "../session/registry/resolve-session.ts";

/** A host, as a listener sees it. */
export interface OpenHost {
  /** Different for each start of a host. */
  readonly instance: string;
  /** The maximum number of running sessions. */
  readonly maxSessions: number;
  countRunning(): number;
  /** The sessions whose program runs. */
  running(): readonly OwnedSession[];
  /** Calls the listener with each session that is started, and each whose program has ended. */
  onChange(listener: (what: "opened" | "exited", session: OwnedSession) => void): void;
  /** The path of a file in the host's directory. */
  file(name: string): string;
  /** The sessions of this process whose output is on disk: those that may be copied elsewhere. */
  journals(): readonly JournalSource[];
  /** Serves a client over this stream. The listener vouches for the client, which counts as a person. */
  accept(stream: Duplex, options: AcceptOptions): void;
}

/** The owner and the name of a session. */
export interface OwnedSession {
  readonly name: string | null;
  readonly caller: string;
  readonly project: string | null;
}

/** A session whose output may be copied. Secrets in it are masked. */
export interface JournalSource {
  readonly id: number;
  readonly name: string | null;
  readonly program: string;
  /** Null while it runs. */
  readonly exit: Exit | null;
  readonly outputBytes: number;
  /** What the request that started the session asked for; undefined: the setting of the host applies. */
  readonly isCopied: boolean | undefined;
  read(options: { readonly from: number; readonly maxBytes: number }): Promise<Page>;
}

export interface AcceptOptions {
  /** What the client may do with its sessions. `scope`: whose sessions they are. */
  readonly view: (sessions: SessionService, scope: Scope) => SessionService;
}

export interface FurtherListener {
  /** Its metrics, which the host serves with its own. */
  metrics(): readonly MetricFamily[];
  /** Disconnects its clients. Resolves when it has ended. */
  close(): Promise<void>;
}
