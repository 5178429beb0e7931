/** The options of an MCP server, and its handle. */
import type { Readable, Writable } from "node:stream";
import type { Allowed } from "../../base/allowance.ts";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionLimits } from "../../base/session-limits.ts";
import type { PasswordPrompt } from "../../service/secrets/prompt.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { PolicyOptions } from "../../tools/guard/policy-options.ts";
import type { ProfileName } from "../../tools/profile-limits.ts";
import type { ChannelOptions } from "./events/session-channel.ts";

/** What an MCP server serves, and over which streams. */
export interface McpOptions {
  readonly sessions: SessionService;
  /** The places that `sessions` spans: tools can start programs there. Only in the profile "all". Default: none. */
  readonly places?: readonly string[];
  /** Which tools to offer. Default "all". */
  readonly profile?: ProfileName;
  /**
   * Answers also have `structuredContent`, and tools an `outputSchema`, for programs that parse answers. Default false:
   * text and pictures only.
   */
  readonly structured?: boolean;
  /**
   * Continue reading where this caller stopped; a function is given the name of the client. Default: a new caller,
   * which starts at the beginning.
   */
  readonly caller?: string | ((client: string | undefined) => string);
  /** How often a waiting call reports progress to a client that asked for it. Default 3,000. */
  readonly progressEveryMs?: number;
  /** The longest wait of a call. Default: a little less than the client waits for an answer, by the client's name. */
  readonly maxWaitMs?: number;
  /** Events to push into the conversation of a client that has channels, such as Claude Code. Default: none. */
  readonly channel?: ChannelOptions;
  /**
   * What programs of the agent may do: the default and the ceiling of what it can ask for, or one sandbox for both. A
   * function is called before each act of the agent, with its place, which is null here; if it throws, the agent gets
   * the error and nothing runs. Default: all that the user may do.
   */
  readonly sandbox?: Allowed<SandboxRequest>;
  /** The rules for what the agent does. Default: it may do everything. */
  readonly policy?: PolicyOptions;
  /**
   * A link to a page where a person types the password that this prompt waits for, for clients that can show links;
   * undefined if there is none now. Only in the profile "all". Default: the agent has to ask for passwords itself.
   */
  readonly passwordLink?: (prompt: PasswordPrompt) => Promise<string | undefined>;
  /** What programs of the agent may use, like `sandbox`. Default: no limits. */
  readonly programLimits?: Allowed<SessionLimits>;
  /** A line for the model, before the first answer of a tool that starts programs. Only in the profile "all". */
  readonly notice?: string;
  /** Default: those of this process. Nothing else may be written to `output`. */
  readonly input?: Readable;
  readonly output?: Writable;
  /** Called with errors of the connection that no caller can fix. */
  readonly onError?: (error: Error) => void;
}

/** A running MCP server. */
export interface McpConnection {
  /** Resolves when the client has disconnected or `close` was called. Does not end the sessions. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
