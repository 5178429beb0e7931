/** What the HTTP endpoint serves, and to whom. */
import type { Server, ServerEvent } from "@modelcontextprotocol/server";
import type { McpClientOptions } from "../../adapters/mcp/mcp-client.ts";
import type { Visitor } from "../server/route.ts";

export interface ServeOptions extends Omit<McpClientOptions, "outbox" | "caller" | "channel" | "mayAct"> {
  /** Called with each server before it serves. `publish` sends a change to subscribers, in the protocol of 2026. */
  readonly prepare?: ((server: Server, publish?: (event: ServerEvent) => void) => void) | undefined;
  /** Whether the token of this caller is still valid. Asked once a minute. Default: it is. */
  readonly isValid?: (caller: string) => boolean;
  /** Default: the clock of this process. */
  readonly nowMs?: () => number;
}

/** Who calls, and what it may do. */
export type McpVisitor = Pick<Visitor, "caller" | "right">;
