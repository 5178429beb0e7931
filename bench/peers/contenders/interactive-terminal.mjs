/** Sessions that are read until they are silent for a while. A command runs in a session of bash. */
import { collect, lookUntil } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";

const MAX_WAIT_MS = 60_000;
const WHY = "The task at hand needs this command.";

export const interactiveTerminal = {
  name: "mcp-interactive-terminal",
  title: "mcp-interactive-terminal",
  source: { spec: "mcp-interactive-terminal@1.0.9", entry: "dist/bin.js", scripts: true },
  async start({ directory, env }, { file }) {
    const mcp = new McpPeer([process.execPath, file], { env, cwd: directory });
    await mcp.initialize();
    let shell;
    const act = async (name, args, limitMs) => (await mcp.call(name, args, { limitMs })).text;
    const create = async (command, args = []) => {
      const text = await act("create_session", { command, args, cwd: directory });
      return /"session_id":\s*"([^"]+)"/.exec(text)?.[1];
    };
    const send = async (id, input, ms = 10_000) => {
      const again = () => act("send_command", { session_id: id, input, timeout_ms: ms }, ms + 10_000);
      const text = await again();
      if (!text.startsWith("Error: Dangerous command")) return text;
      await act("confirm_dangerous_command", { session_id: id, input, justification: WHY });
      return await again();
    };
    const read = async (id, how = {}) => outputIn(await act("read_output", { session_id: id, ...how }));
    const poll = (id, first, until, limitMs) =>
      collect({ first, poll: () => read(id), isDone: (text) => !until || new RegExp(until).test(text), limitMs });
    return {
      mcp,
      hasTerminals: true,
      async run(command, { limitMs = MAX_WAIT_MS } = {}) {
        shell ??= await create("bash", ["--norc"]);
        const text = await send(shell, command, Math.min(MAX_WAIT_MS, limitMs));
        return { text: outputIn(text), code: undefined, isOver: /"is_complete":\s*true/.test(text) };
      },
      async open(command, { until } = {}) {
        const id = await create("bash", ["-c", command]);
        return { id, text: await poll(id, "", until ?? "\\S", 3_000) };
      },
      async type(id, line, { until } = {}) {
        if (line !== "\u0003") return await poll(id, outputIn(await send(id, line, 5_000)), until);
        return await poll(id, outputIn(await act("send_control", { session_id: id, control: "ctrl+c" })), until);
      },
      wait: (id, until, limitMs) => poll(id, "", until, limitMs),
      screen: (id, pattern) => lookUntil(() => read(id, { full_screen: true }), pattern),
      close: (id) => act("close_session", { session_id: id }),
      list: () => act("list_sessions", {}),
      kill: () => mcp.kill(),
      end: () => mcp.end(),
    };
  },
};

/** A model reads through the quotes of JSON. */
function outputIn(text) {
  try {
    return JSON.parse(text).output ?? text;
  } catch {
    return text;
  }
}
