/**
 * node-pty as an author of an agent uses it first: spawn, collect what arrives, answer at the exit. Speaks just enough
 * MCP to be driven like the others. The argument is the folder of installed packages.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const { spawn } = createRequire(join(process.argv[2], "/"))("node-pty");
const sessions = new Map();
const size = { cols: 120, rows: 30, env: process.env, cwd: process.cwd() };
const TOOLS = ["run", "open", "type", "read", "close", "list"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object" },
}));

const actions = {
  run: ({ command }) =>
    new Promise((resolve) => {
      let text = "";
      const pty = spawn("/bin/bash", ["-c", command], size);
      pty.onData((data) => {
        text += data;
      });
      pty.onExit(({ exitCode, signal }) => {
        resolve(`${text}\n${signal ? `[killed by signal ${signal}]` : `[exit code ${exitCode}]`}`);
      });
    }),
  open({ command }) {
    const pty = spawn("/bin/bash", ["-c", command], size);
    const session = { pty, text: "" };
    pty.onData((data) => {
      session.text += data;
    });
    sessions.set(pty.pid, session);
    return String(pty.pid);
  },
  type({ id, text }) {
    sessions.get(id).pty.write(text);
    return "";
  },
  read({ id }) {
    const session = sessions.get(id);
    const { text } = session;
    session.text = "";
    return text;
  },
  close({ id }) {
    sessions.get(id).pty.kill();
    sessions.delete(id);
    return "closed";
  },
  list: () => [...sessions.keys()].join("\n"),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined)
    handle(method, params).then(
      (result) => answer({ id, result }),
      (error) => fail(id, error),
    );
}
process.exit();

async function handle(method, params) {
  if (method === "tools/list") return { tools: TOOLS };
  if (method !== "tools/call") return {};
  return { content: [{ type: "text", text: await actions[params.name](params.arguments) }] };
}

function fail(id, error) {
  answer({ id, error: { code: -32_603, message: error.message } });
}

function answer(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
