/** The library that most agents use, behind as little code as possible. */
import { join } from "node:path";
import { codeIn, collect } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";

const SERVER = join(import.meta.dirname, "../../programs/node-pty-server.mjs");
const CODE = /\[exit code (\d+)\]/;

export const nodePty = {
  name: "node-pty",
  title: "node-pty",
  isLibrary: true,
  source: { spec: "node-pty@1.1.0", entry: "lib/index.js", scripts: true },
  async start({ directory, env }, { modules }) {
    const mcp = new McpPeer([process.execPath, SERVER, modules], { env, cwd: directory });
    await mcp.initialize();
    const act = async (name, args, limitMs) => (await mcp.call(name, args, { limitMs })).text;
    const poll = (id, first, until, limitMs) => {
      const isDone = (text) => new RegExp(until ?? "").test(text);
      return collect({ first, poll: () => act("read", { id }), isDone, limitMs });
    };
    return {
      mcp,
      hasTerminals: true,
      async run(command, { limitMs = 60_000 } = {}) {
        const text = await act("run", { command }, limitMs);
        return { text, code: codeIn(text, CODE), isOver: true };
      },
      async open(command, { until } = {}) {
        const id = Number(await act("open", { command }));
        return { id, text: await poll(id, "", until ?? "\\S", 3_000) };
      },
      async type(id, line, { until } = {}) {
        await act("type", { id, text: line === "\u0003" ? line : `${line}\r` });
        return await poll(id, "", until);
      },
      wait: (id, until, limitMs) => poll(id, "", until, limitMs),
      close: (id) => act("close", { id }),
      list: () => act("list", {}),
      kill: () => mcp.kill(),
      end: () => mcp.end(),
    };
  },
};
