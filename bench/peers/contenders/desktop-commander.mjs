/** Programs on pipes: `python3 -i`, because Python shows no prompt without a terminal. */
import { codeIn, collect } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";

const CODE = /exit code (\d+)/;
const PID = /PID (\d+)/;
const WAIT_MS = 10_000;

export const desktopCommander = {
  name: "desktop-commander",
  title: "Desktop Commander",
  note: "Desktop Commander has pipes instead of terminals: nothing can be interrupted with Ctrl+C.",
  source: { spec: "@wonderwhy-er/desktop-commander@0.2.52", entry: "dist/index.js" },
  async start({ directory, env }, { file }) {
    const mcp = new McpPeer([process.execPath, file], { env: { ...env, DC_TELEMETRY: "off" }, cwd: directory });
    await mcp.initialize();
    const read = async (pid, ms = WAIT_MS) =>
      (await mcp.call("read_process_output", { pid, timeout_ms: ms }, { limitMs: ms + 10_000 })).text;
    return {
      mcp,
      hasTerminals: false,
      async run(command, { limitMs = 60_000 } = {}) {
        const first = await mcp.call(
          "start_process",
          { command, timeout_ms: Math.min(limitMs, WAIT_MS) },
          { limitMs: limitMs + 10_000 },
        );
        const pid = Number(PID.exec(first.text)?.[1]);
        const isRunning = /Process is running/.test(first.text);
        // The answer has no exit code; the next call has it.
        const text = await collect({
          first: first.text,
          poll: () => read(pid, isRunning ? WAIT_MS : 100),
          isDone: (all) => CODE.test(all) || /No active session|No session found/.test(all),
          limitMs,
        });
        return { text, code: codeIn(text, CODE), isOver: CODE.test(text) || !isRunning };
      },
      async open(command) {
        const piped = command.replace(/^python3 -q/, "python3 -i -q");
        const { text } = await mcp.call("start_process", { command: piped, timeout_ms: 3_000 });
        return { id: Number(PID.exec(text)?.[1]), text };
      },
      async type(id, line, { until } = {}) {
        const first = (await mcp.call("interact_with_process", { pid: id, input: line, timeout_ms: 5_000 })).text;
        return await poll(first, id, until);
      },
      wait: (id, until, limitMs) => poll("", id, until, limitMs),
      close: async (id) => (await mcp.call("force_terminate", { pid: id })).text,
      list: async () => (await mcp.call("list_sessions", {})).text,
      kill: () => mcp.kill(),
      end: () => mcp.end(),
    };
    function poll(first, id, until, limitMs) {
      if (until === undefined) return first;
      // It says so if it has recognised a prompt.
      const isDone = (text) => new RegExp(until).test(text) || text.includes("is waiting for input");
      return collect({ first, poll: () => read(id, 1_000), isDone, limitMs });
    }
  },
};
