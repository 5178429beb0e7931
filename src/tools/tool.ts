/** One tool, for any ecosystem: what a model reads about it, and what a call does. Without the types of any library. */
import type { Allowed } from "../base/allowance.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { SessionLimits } from "../base/session-limits.ts";
import type { SessionService } from "../service/session-service.ts";
import type { Receipt } from "../service/turn/receipt.ts";
import type { OutputSchema } from "./answer/output-schema.ts";
import type { Guard } from "./guard/guard.ts";

export interface ToolContext {
  readonly sessions: SessionService;
  /** Who calls. limpet tracks for each caller which output it has read. */
  readonly caller: string;
  /** Ends the wait, never the program. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the receipt of an answer that contains output. Acknowledge the receipt after delivery, or give it back.
   */
  readonly onReceipt?: ((receipt: Receipt) => void) | undefined;
  /** The longest a call may wait, whatever it asks for, because its client would abandon it. Default: no limit. */
  readonly longestWaitMs?: number | undefined;
  /**
   * What programs may do; a function is called before each act, with its place, which is null here. Default: all that
   * the user may do.
   */
  readonly within?: Allowed<SandboxRequest> | undefined;
  /** Decides what a turn may do. Default: everything. */
  readonly guard?: Guard | undefined;
  /** What programs may use. Default: no limits. */
  readonly limits?: Allowed<SessionLimits> | undefined;
  /** The tool that is called, for the audit. Set by the tool itself. */
  readonly tool?: string | undefined;
  /** Where the call starts a program. Set by the tool itself. Default: here. */
  readonly place?: string | undefined;
}

/** What a tool returns: text for the model, and the same as data for your code. */
export interface ToolResult {
  /** What the model reads. */
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  /** A picture for models that accept images, in addition to the text. */
  readonly image?: ToolImage | undefined;
  readonly isError: boolean;
}

/** A picture. Only some ecosystems accept SVG. */
export interface ToolImage {
  readonly mediaType: "image/png" | "image/svg+xml";
  readonly base64: string;
}

/** Hints for a client that asks its user before some calls. */
export interface ToolAnnotations {
  readonly title: string;
  /** Changes nothing. */
  readonly readOnlyHint: boolean;
  /** May destroy something. */
  readonly destructiveHint: boolean;
  /** Repeating the call has no further effect. */
  readonly idempotentHint: boolean;
  /** Reaches beyond this machine. */
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** JSON Schema of `structured`, except for errors. */
  readonly outputSchema?: OutputSchema | undefined;
  readonly annotations: ToolAnnotations;
  /** The same tool for sessions that span these places. Without it, or without places, the tool stays as it is. */
  readonly withPlaces?: ((names: readonly string[]) => Tool) | undefined;
  /** Never rejects, except with the signal's reason when it is aborted. */
  call(args: unknown, context: ToolContext): Promise<ToolResult>;
}
