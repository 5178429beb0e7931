/** Terminals in a daemon of its own; every answer is a poll. */
import { setTimeout as sleep } from "node:timers/promises";
import { codeIn, collect, lookUntil } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";

const CODE = /Process exited with code (\d+)/;

/** Its server gets one second to start, and after a failure the client does not try again. */
const TRIES = 4;
const PAUSE_MS = 2_000;

export const terminalcp = {
  name: "terminalcp",
  title: "terminalcp",
  source: { spec: "@mariozechner/terminalcp@1.3.3", entry: "dist/index.js", scripts: true },
  async start({ directory, env }, { file }, { isWarm = false } = {}) {
    const open = async () => {
      const made = new McpPeer([process.execPath, file, "--mcp"], { env, cwd: directory });
      await made.initialize();
      return made;
    };
    const mcp = isWarm ? await warm(open) : await open();
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

/** A client whose server runs. */
async function warm(open) {
  for (let tries = 1; ; tries += 1) {
    const mcp = await open();
    try {
      await mcp.call("terminalcp", { args: { action: "start", command: "true", name: `warm-${mcp.pid}` } });
      mcp.usage = { calls: 0, tokens: 0 };
      return mcp;
    } catch (error) {
      await mcp.end();
      if (tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
