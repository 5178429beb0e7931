export { LocalSessions } from "../../sessions/local-sessions.ts";
export type { Sessions } from "../../sessions/sessions.ts";
export type { ProfileName } from "../../tools/profile-limits.ts";
export type { McpConnection, McpOptions } from "./options.ts";
export { serveMcp } from "./stdio.ts";
