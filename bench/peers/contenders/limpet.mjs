/**
 * limpet as an MCP server: through its host, which is the default, in the server's own process, and with only the two
 * tools that Codex has.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeIn } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";
import { codexVerbs } from "./codex-verbs.mjs";

const MAIN = join(import.meta.dirname, "../../../dist/bin/main.js");
const CODE = /\bcode (\d+)/;
const ID = /session (?:id|ID) (\d+)/;
/** A model passes a timeout only if the default is not enough. */
const DEFAULT_TIMEOUT_MS = 120_000;
const run = promisify(execFile);

export const limpet = { name: "limpet", title: "limpet", isOurs: true, start: (room) => start(room, [], verbs) };

export const limpetInProcess = {
  name: "limpet-in-process",
  title: "limpet, in-process",
  isOurs: true,
  // In all other works, it behaves like limpet through its host.
  works: ["start", "echo", "repl", "flood", "endless", "short", "survivors", "next-client"],
  start: (room) => start(room, ["--in-process"], verbs),
};

export const limpetTwoTools = {
  name: "limpet-two-tools",
  title: "limpet, two tools",
  isOurs: true,
  works: ["start", "echo", "repl", "jobs", "noise"],
  start: (room) =>
    start(room, ["--tools", "codex"], (mcp) =>
      codexVerbs(async (name, args, limitMs) => (await mcp.call(name, args, { limitMs })).text, { login: false }),
    ),
};

async function start({ directory, env }, flags, verbsOf) {
  const mcp = new McpPeer([process.execPath, MAIN, "mcp", ...flags], { env, cwd: directory });
  await mcp.initialize();
  return {
    mcp,
    ...verbsOf(mcp),
    kill: () => mcp.kill(),
    async end() {
      await mcp.end();
      await run(process.execPath, [MAIN, "host", "stop", "--force"], { env, cwd: directory }).catch(() => undefined);
    },
  };
}

function verbs(mcp) {
  return {
    knowsWhoWaits: true,
    hasTerminals: true,
    async run(command, { limitMs = DEFAULT_TIMEOUT_MS } = {}) {
      const limit = limitMs === DEFAULT_TIMEOUT_MS ? {} : { timeout_ms: limitMs };
      const { text } = await mcp.call("run", { command, ...limit }, { limitMs: limitMs + 5_000 });
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
    wait: async (id, until, limitMs) =>
      (await mcp.call("wait_for", { session_ids: [id], until, deadline_ms: limitMs })).text,
    screen: async (id) => (await mcp.call("read_screen", { session_id: id })).text,
    find: async (id, grep) => (await mcp.call("read_output", { session_id: id, grep })).text,
    close: async (id) => (await mcp.call("close_session", { session_id: id })).text,
    list: async () => (await mcp.call("list_sessions", {})).text,
  };
}
