/** limpet as an MCP server: through its host, which is the default, and in the server's own process. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeIn, collect } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";

const MAIN = join(import.meta.dirname, "../../../dist/bin/main.js");
const CODE = /\bcode (\d+)/;
const ID = /session (?:id|ID) (\d+)/;
const run = promisify(execFile);

export const limpet = { name: "limpet", title: "limpet", isOurs: true, start: (room) => start(room, []) };

export const limpetInProcess = {
  name: "limpet-in-process",
  title: "limpet, in-process",
  isOurs: true,
  start: (room) => start(room, ["--in-process"]),
};

async function start({ directory, env }, flags) {
  const mcp = new McpPeer([process.execPath, MAIN, "mcp", ...flags], { env, cwd: directory });
  await mcp.initialize();
  return {
    mcp,
    isOurs: true,
    hasTerminals: true,
    async run(command, { limitMs = 60_000 } = {}) {
      const { text } = await mcp.call("run", { command, timeout_ms: limitMs }, { limitMs: limitMs + 5_000 });
      return { text, code: codeIn(text, CODE), isOver: CODE.test(text) };
    },
    async open(command, { until } = {}) {
      const { text } = await mcp.call("exec_command", { cmd: command, ...(until ? { until } : {}) });
      return { id: Number(ID.exec(text)?.[1]), text };
    },
    async type(id, line, { until } = {}) {
      const keys = line === "\u0003" ? { keys: ["Ctrl+C"] } : { chars: `${line}\n` };
      return (await mcp.call("write_stdin", { session_id: id, ...keys, ...(until ? { until } : {}) })).text;
    },
    async wait(id, until, limitMs) {
      const first = (await mcp.call("wait_for", { session_ids: [id], until, deadline_ms: limitMs })).text;
      return await collect({ first, poll: async () => "", isDone: () => true });
    },
    screen: async (id) => (await mcp.call("read_screen", { session_id: id })).text,
    find: async (id, grep) => (await mcp.call("read_output", { session_id: id, grep })).text,
    close: async (id) => (await mcp.call("close_session", { session_id: id })).text,
    list: async () => (await mcp.call("list_sessions", {})).text,
    kill: () => mcp.kill(),
    async end() {
      await mcp.end();
      await run(process.execPath, [MAIN, "host", "stop", "--force"], { env, cwd: directory }).catch(() => undefined);
    },
  };
}
