/** The parts of the MCP server of one connection. */
import type { Tool } from "../../tools/tool.ts";
import type { CallLimits } from "./calls/call-limits.ts";
import type { Receipts } from "./calls/receipts.ts";
import type { SessionChannel } from "./events/session-channel.ts";
import type { SessionNotifications } from "./events/session-notifications.ts";
import type { McpOptions } from "./mcp-options.ts";
import type { PasswordLinks } from "./questions/password-links.ts";
import type { SessionResources } from "./resources/session-resources.ts";

export interface ServerParts extends Omit<McpOptions, "caller" | "channel" | "notice" | "passwordLink"> {
  readonly caller: () => string;
  /** Whether the client may call tools that change something. */
  readonly mayAct: boolean;
  /** Returns the line for the model once. */
  readonly takeNotice: () => string | undefined;
  /** Undefined until the client has said its name. */
  readonly clientName: () => string | undefined;
  readonly tools: readonly Tool[];
  readonly instructions?: string;
  readonly resources: SessionResources;
  readonly receipts: Receipts;
  readonly limits: CallLimits;
  readonly notifications: SessionNotifications;
  /** Undefined if there are no links for passwords. */
  readonly passwords: PasswordLinks | undefined;
  /** Undefined if no events are pushed. */
  readonly channel: SessionChannel | undefined;
}
