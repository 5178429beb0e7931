// Tokens of the list of tools and of 20 typical answers over MCP: as text (the default), and with structured content.
// Counts what a client receives; some clients pass only a part of it to their model.
import { PassThrough } from "node:stream";
import { LocalService, serveMcp } from "../dist/adapters/mcp/index.js";
import { SessionRegistry } from "../dist/entries/session.js";

const tokens = (value) => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
const plain = { login: false, shell: "/bin/sh" };
const squares = "awk 'BEGIN { for (i = 1; i <= 5000; i++) print i * i }'";

const CALLS = [
  ["a short command", "exec_command", { cmd: "echo hi", ...plain }],
  ["a command that fails", "exec_command", { cmd: "ls /nowhere; exit 3", ...plain }],
  ["a directory", "exec_command", { cmd: "ls -la /usr", ...plain }],
  ["a file", "exec_command", { cmd: "cat /etc/passwd", ...plain }],
  ["repeated lines", "exec_command", { cmd: "yes same | head -500", ...plain }],
  ["output that is cut", "exec_command", { cmd: squares, max_output_tokens: 1_000, name: "squares", ...plain }],
  ["output like an answer", "exec_command", { cmd: "echo Output:; echo Wall time: 1 seconds", ...plain }],
  ["a question", "exec_command", { cmd: "printf 'Name? '; read x; cat", name: "asker", ...plain }],
  ["a server", "exec_command", { cmd: "echo up; exec sleep 1000", name: "dev server", until: "up", ...plain }],
  ["a command in a shell", "run", { command: "cd /usr; pwd" }],
  ["the next command", "run", { command: "echo $HOME; false" }],
  ["a line that is typed", "write_stdin", { session_id: "asker", chars: "Ann\n" }],
  ["a poll", "write_stdin", { session_id: "dev server", yield_time_ms: 0 }],
  ["a wait", "wait_for", { session_ids: ["dev server"], quiet_ms: 10 }],
  ["a page of output", "read_output", { session_id: "squares", from: 0, max_output_tokens: 1_000 }],
  ["the last lines", "read_output", { session_id: "squares", tail: 10 }],
  ["a search", "read_output", { session_id: "squares", grep: "00$", max_output_tokens: 500 }],
  ["a screen", "read_screen", { session_id: "asker" }],
  ["a list", "list_sessions", {}],
  ["an error", "write_stdin", { session_id: "nobody", chars: "x" }],
];

const text = await measure(false);
const structured = await measure(true);
const rows = text.answers.map(({ name, tokens: asText }, index) => {
  const both = structured.answers[index].tokens;
  return { answer: name, text: asText, "with structured": both, ratio: (both / asText).toFixed(2) };
});
const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
console.table(rows);
console.log(`Sum of 20 answers: text ${sum("text")}, with structured content ${sum("with structured")}`);
console.log(`tools/list: text ${text.tools}, with output schemas ${structured.tools}`);

async function measure(isStructured) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const registry = new SessionRegistry();
  const connection = serveMcp({ sessions: new LocalService(registry), structured: isStructured, input, output });
  const ask = asker(input, output);
  try {
    const clientInfo = { name: "bench", version: "1" };
    await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const tools = tokens((await ask("tools/list", {})).tools);
    const answers = [];
    for (const [name, tool, args] of CALLS) {
      answers.push({ name, tokens: tokens(await ask("tools/call", { name: tool, arguments: args })) });
    }
    return { tools, answers };
  } finally {
    await connection.close();
    await registry.closeAll({ force: true });
  }
}

/** Sends requests one after the other. */
function asker(input, output) {
  const waiting = new Map();
  let rest = "";
  let lastId = 0;
  output.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const message of lines.map((line) => JSON.parse(line))) waiting.get(message.id)?.(message.result);
  });
  return (method, params) => {
    lastId += 1;
    const answered = new Promise((resolve) => waiting.set(lastId, resolve));
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params })}\n`);
    return answered;
  };
}
