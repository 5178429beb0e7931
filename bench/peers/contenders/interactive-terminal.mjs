/** Sessions that are read until they are silent for a while. A command runs in a session of bash. */
import { collect, lookUntil } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";

export const interactiveTerminal = {
  name: "mcp-interactive-terminal",
  title: "mcp-interactive-terminal",
  source: { spec: "mcp-interactive-terminal@1.0.9", entry: "dist/bin.js", scripts: true },
  async start({ directory, env }, { file }) {
    const mcp = new McpPeer([process.execPath, file], { env, cwd: directory });
    await mcp.initialize();
    let shell;
    const create = async (command, args = []) => {
      const { text } = await mcp.call("create_session", { command, args, cwd: directory });
      return { id: /"session_id":\s*"([^"]+)"/.exec(text)?.[1], text };
    };
    const send = async (id, input, ms = 10_000) =>
      (await mcp.call("send_command", { session_id: id, input, timeout_ms: ms }, { limitMs: ms + 10_000 })).text;
    const read = async (id, how = {}) => (await mcp.call("read_output", { session_id: id, ...how })).text;
    const poll = (id, first, until, limitMs) =>
      collect({ first, poll: () => read(id), isDone: (text) => !until || new RegExp(until).test(text), limitMs });
    return {
      mcp,
      hasTerminals: true,
      async run(command, { limitMs = 60_000 } = {}) {
        shell ??= (await create("bash", ["--norc"])).id;
        const text = await send(shell, command, Math.min(60_000, limitMs));
        return { text: text.replaceAll("\\n", "\n"), code: undefined, isOver: /"is_complete":\s*true/.test(text) };
      },
      async open(command, { until } = {}) {
        const { id, text } = await create("bash", ["-c", command]);
        return { id, text: await poll(id, text, until ?? "\\S", 3_000) };
      },
      async type(id, line, { until } = {}) {
        if (line !== "\u0003") return await poll(id, await send(id, line, 5_000), until);
        return (await mcp.call("send_control", { session_id: id, control: "ctrl+c" })).text;
      },
      wait: (id, until, limitMs) => poll(id, "", until, limitMs),
      screen: (id, pattern) => lookUntil(() => read(id, { full_screen: true }), pattern),
      close: async (id) => (await mcp.call("close_session", { session_id: id })).text,
      list: async () => (await mcp.call("list_sessions", {})).text,
      kill: () => mcp.kill(),
      end: () => mcp.end(),
    };
  },
};
