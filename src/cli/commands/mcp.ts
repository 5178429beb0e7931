import { serveMcp } from "../../adapters/mcp/stdio.ts";
import { SessionRegistry } from "../../session/registry.ts";
import { LocalSessions } from "../../sessions/local-sessions.ts";
import { profiles } from "../../tools/profiles.ts";
import type { CommandDef } from "../command.ts";
import { printError } from "../print.ts";
import { type McpSettings, mcpSettings } from "../settings.ts";

/** The client is gone: programs may tidy up, but not for long. */
const GRACE_MS = 400;

export const mcp: CommandDef = {
  meta: { name: "mcp", description: "Serve the tools to an MCP client over stdin and stdout." },
  args: {
    tools: { type: "string", valueHint: "all|codex|unified", description: "Which tools to offer. Default: all" },
  },
  run: ({ args }) => serve(mcpSettings({ tools: args["tools"] as string | undefined })),
};

/** Until the client is gone; then every session ends. */
async function serve({ profile }: McpSettings): Promise<void> {
  const registry = new SessionRegistry(profiles[profile].registry);
  const connection = serveMcp({
    sessions: new LocalSessions(registry),
    profile,
    onError: (error) => printError(`limpet mcp: ${error.message}`),
  });
  await connection.closed;
  await registry.closeAll({ graceMs: GRACE_MS });
}
