/** Panes of tmux: a command is typed between two markers, and its result is looked for in the pane. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { codeIn, collect, lookUntil } from "../collect.mjs";
import { McpPeer } from "../mcp-peer.mjs";

const run = promisify(execFile);

export const tmuxMcp = {
  name: "tmux-mcp",
  title: "tmux-mcp",
  needs: ["tmux"],
  source: { spec: "tmux-mcp@0.2.2", entry: "build/index.js" },
  async start({ directory, env }, { file }) {
    const mcp = new McpPeer([process.execPath, file], { env, cwd: directory });
    await mcp.initialize();
    const act = async (name, args) => (await mcp.call(name, args)).text;
    const idIn = (text) => /"id":\s*"([^"]+)"/.exec(text)?.[1];
    let [count, pane] = [0, undefined];
    const create = async () => {
      count += 1;
      const session = idIn(await act("create-session", { name: `bench-${count}` }));
      const window = idIn(await act("list-windows", { sessionId: session }));
      return { session, pane: idIn(await act("list-panes", { windowId: window })) };
    };
    const look = ({ pane: paneId }) => act("capture-pane", { paneId });
    const until = (at, pattern, limitMs = 10_000) => lookUntil(() => look(at), new RegExp(pattern ?? "\\S"), limitMs);
    return {
      mcp,
      hasTerminals: true,
      async run(command, { limitMs = 60_000 } = {}) {
        pane ??= (await create()).pane;
        const started = await act("execute-command", { paneId: pane, command });
        const commandId = /tmux:\/\/command\/([^/]+)\//.exec(started)?.[1];
        const isDone = (text) => /Status: (?:completed|error)/.test(text);
        const poll = () => act("get-command-result", { commandId });
        const text = await collect({ poll, isDone, limitMs });
        return { text, code: codeIn(text, /Exit code: (\d+)/), isOver: isDone(text) };
      },
      async open(command, { until: pattern } = {}) {
        const at = await create();
        await act("execute-command", { paneId: at.pane, command, rawMode: true });
        return { id: at, text: await until(at, pattern ?? "\\S", 3_000) };
      },
      async type(id, line, { until: pattern } = {}) {
        const keys = line === "\u0003" ? { command: line, noEnter: true } : { command: line, rawMode: true };
        await act("execute-command", { paneId: id.pane, ...keys });
        return await until(id, pattern);
      },
      wait: until,
      screen: until,
      close: ({ session }) => act("kill-session", { sessionId: session }),
      list: () => act("list-sessions", {}),
      kill: () => mcp.kill(),
      async end() {
        await mcp.end();
        await run("tmux", ["kill-server"], { env }).catch(() => undefined);
      },
    };
  },
};
