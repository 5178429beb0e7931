export { LocalService } from "../../service/local-service.ts";
export type { PasswordPrompt } from "../../service/secrets/prompt.ts";
export type { SessionService } from "../../service/session-service.ts";
export type { ProfileName } from "../../tools/profile-limits.ts";
export type { ChannelOptions } from "./events/session-channel.ts";
export type { McpConnection, McpOptions } from "./mcp-options.ts";
export { serveMcp } from "./serve-mcp.ts";
