/** One tool that runs a command on pipes to its end. It has no sessions. */
import { McpPeer } from "../mcp-peer.mjs";

export const serverCommands = {
  name: "mcp-server-commands",
  title: "mcp-server-commands",
  note: "mcp-server-commands ends a command after its first megabyte of output.",
  source: { spec: "mcp-server-commands@0.5.0", entry: "build/index.js" },
  async start({ directory, env }, { file }) {
    const mcp = new McpPeer([process.execPath, file], { env, cwd: directory });
    await mcp.initialize();
    return {
      mcp,
      hasTerminals: false,
      async run(command, { limitMs = 60_000 } = {}) {
        const { text, isError } = await mcp.call("run_command", { command }, { limitMs });
        // It says that a command failed, but not with which code.
        return { text, code: isError ? undefined : 0, isOver: true };
      },
      kill: () => mcp.kill(),
      end: () => mcp.end(),
    };
  },
};
