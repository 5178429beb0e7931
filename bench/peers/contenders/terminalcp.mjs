/** Terminals in a daemon of its own; every answer is a poll. */
import { codeIn, collect, lookUntil } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";

const CODE = /Process exited with code (\d+)/;

export const terminalcp = {
  name: "terminalcp",
  title: "terminalcp",
  note: "terminalcp gives its own server one second to start, which can be too little on a busy machine.",
  source: { spec: "@mariozechner/terminalcp@1.3.3", entry: "dist/index.js", scripts: true },
  async start({ directory, env }, { file }) {
    const mcp = new McpPeer([process.execPath, file, "--mcp"], { env, cwd: directory });
    await mcp.initialize();
    let count = 0;
    const act = async (args) => (await mcp.call("terminalcp", { args })).text;
    const read = (id) => act({ action: "stream", id, since_last: true });
    const until = (id, first, pattern, limitMs) =>
      collect({ first, poll: () => read(id), isDone: (text) => pattern.test(text), limitMs });
    return {
      mcp,
      hasTerminals: true,
      async run(command, { limitMs = 60_000 } = {}) {
        count += 1;
        const id = await act({ action: "start", command, name: `run-${process.pid}-${count}` });
        const text = await until(id, "", CODE, limitMs);
        return { text, code: codeIn(text, CODE), isOver: CODE.test(text) };
      },
      async open(command, { until: pattern } = {}) {
        count += 1;
        const id = await act({ action: "start", command, name: `open-${process.pid}-${count}` });
        return { id, text: await until(id, "", new RegExp(pattern ?? "\\S"), 3_000) };
      },
      async type(id, line, { until: pattern } = {}) {
        await act({ action: "stdin", id, data: line === "\u0003" ? line : `${line}\r` });
        return await until(id, await read(id), new RegExp(pattern ?? ""));
      },
      wait: (id, pattern, limitMs) => until(id, "", new RegExp(pattern), limitMs),
      screen: (id, pattern) => lookUntil(() => act({ action: "stdout", id }), pattern),
      find: (id) => act({ action: "stream", id }),
      close: (id) => act({ action: "stop", id }),
      list: () => act({ action: "list" }),
      kill: () => mcp.kill(),
      async end() {
        await act({ action: "kill-server" }).catch(() => undefined);
        await mcp.end();
      },
    };
  },
};
