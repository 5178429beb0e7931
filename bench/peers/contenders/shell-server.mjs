/** Commands on pipes, and terminals that are read after a fixed time. Its default asks a model before each command. */
import { collect } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";

export const shellServer = {
  name: "mcp-shell-server",
  title: "mcp-shell-server",
  note: "mcp-shell-server shows 1,000 characters of an output and calls it complete; what follows counts as lost.",
  source: { spec: "@mako10k/mcp-shell-server@2.7.1", entry: "dist/index.js", scripts: true },
  async start({ directory, env }, { file }) {
    const settings = { SECURITY_MODE: "permissive", LLM_EVALUATION: "false", ENHANCED_MODE: "false" };
    const own = Object.entries(settings).map(([name, value]) => [`MCP_SHELL_${name}`, value]);
    const mcp = new McpPeer([process.execPath, file], { env: { ...env, ...Object.fromEntries(own) }, cwd: directory });
    await mcp.initialize();
    /** An answer has the beginning of the output, and says how to read all of it. */
    const restOf = async (text) => {
      const output_id = /"output_id": "([^"]+)"/.exec(text)?.[1];
      if (!/"output_truncated": true/.test(text) || output_id === undefined) return "";
      return (await mcp.call("read_execution_output", { output_id, size: 20_000 })).text;
    };
    const operate = async (args) => (await mcp.call("terminal_operate", args)).text;
    const poll = (id, first, until, limitMs) =>
      collect({
        first,
        poll: async () => outputIn(await operate({ terminal_id: id })),
        isDone: (text) => until === undefined || new RegExp(until).test(text),
        limitMs,
      });
    return {
      mcp,
      hasTerminals: true,
      async run(command, { limitMs = 60_000 } = {}) {
        const args = {
          command,
          execution_mode: "foreground",
          timeout_seconds: Math.min(300, Math.ceil(limitMs / 1_000)),
        };
        const first = await mcp.call("shell_execute", args, { limitMs: limitMs + 5_000 });
        const text = first.text + (await restOf(first.text));
        const code = /"exit_code": (\d+)/.exec(text)?.[1];
        const isOver = /"status": "(?:completed|failed)"/.test(text);
        return { text: unquoted(text), code: code === undefined ? undefined : Number(code), isOver };
      },
      async open(command, { until } = {}) {
        const text = await operate({ command });
        const id = /"terminal_id": "([^"]+)"/.exec(text)?.[1];
        return { id, text: await poll(id, outputIn(text), until) };
      },
      async type(id, line, { until } = {}) {
        const control = line === "\u0003" ? { control_codes: true, execute: false, input: "^C" } : { input: line };
        return await poll(id, outputIn(await operate({ terminal_id: id, force_input: true, ...control })), until);
      },
      wait: (id, until, limitMs) => poll(id, "", until, limitMs),
      close: async (id) => (await mcp.call("terminal_close", { terminal_id: id })).text,
      list: async () => (await mcp.call("terminal_list", {})).text,
      kill: () => mcp.kill(),
      end: () => mcp.end(),
    };
  },
};

function outputIn(text) {
  try {
    return JSON.parse(text).output ?? "";
  } catch {
    return text;
  }
}

/** A model reads through the quotes of JSON. */
function unquoted(text) {
  return text.replaceAll("\\n", "\n").replaceAll("\\r", "\r").replaceAll('\\"', '"');
}
