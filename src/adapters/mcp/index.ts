export { LocalSessions } from "../../session/local-sessions.ts";
export type { Sessions } from "../../session/sessions.ts";
export type { ProfileName } from "../../tools/profiles.ts";
export type { McpConnection, McpOptions } from "./options.ts";
export { serveMcp } from "./stdio.ts";
