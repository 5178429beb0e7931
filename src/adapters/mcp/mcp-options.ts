/** What a connection needs, and what is held of it. */
import type { Readable, Writable } from "node:stream";
import type { SessionService } from "../../service/session-service.ts";
import type { ProfileName } from "../../tools/profile-limits.ts";

/** What an MCP server serves, and over which streams. */
export interface McpOptions {
  readonly sessions: SessionService;
  /** Which tools to offer. Default "all". */
  readonly profile?: ProfileName;
  /** Whose place in the sessions' output this connection goes on from. Default: one of its own, at the beginning. */
  readonly caller?: string;
  /** How often a waiting call reports progress to a client that asked for it. Default 5,000. */
  readonly progressEveryMs?: number;
  /** The longest that a call without progress may wait. Default 50,000. */
  readonly longestSilentWaitMs?: number;
  /** Default: those of this process. Nothing else may be written to `output`. */
  readonly input?: Readable;
  readonly output?: Writable;
  /** Told what went wrong on the connection; nothing that a caller could mend. */
  readonly onError?: (error: Error) => void;
}

/** A running MCP server. */
export interface McpConnection {
  /** Resolves when the client is gone or `close` was called. The sessions go on: whoever gave them ends them. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
