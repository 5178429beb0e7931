/**
 * An agent on Anthropic's Messages API, without the network: a server in this script speaks its wire format and plays a
 * model that first mistypes a parameter, reads the error, and mends it. With another address and a key, the loop is one
 * for the real API.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { createAnthropicTools } from "limpet/anthropic";

const server = createServer(answer).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}/v1/messages`;
const limpet = createAnthropicTools();

try {
  console.log(`agent: ${await runAgent("How many lines has /etc/passwd?")}`);
} finally {
  await limpet.close();
  server.close();
}

async function runAgent(question) {
  console.log(`user: ${question}`);
  const messages = [{ role: "user", content: question }];
  for (;;) {
    const { content, stop_reason } = await ask({ model: "scripted", max_tokens: 1024, messages, tools: limpet.tools });
    if (stop_reason !== "tool_use") return content.map(({ text }) => text).join("");
    const calls = content.filter(({ type }) => type === "tool_use");
    for (const { name, input } of calls) console.log(`call: ${name} ${JSON.stringify(input)}`);
    const results = await Promise.all(calls.map((call) => limpet.handleCall(call)));
    for (const result of results) console.log(result.content.replace(/^/gm, result.is_error ? "  ! " : "  | "));
    messages.push({ role: "assistant", content }, { role: "user", content: results });
  }
}

async function ask(body) {
  const headers = { "content-type": "application/json", "x-api-key": "none-needed", "anthropic-version": "2023-06-01" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return await response.json();
}

/** The server: a message is made from what the model would have in front of it, and from nothing else. */
async function answer(request, response) {
  const chunks = await request.toArray();
  const { model, messages } = JSON.parse(Buffer.concat(chunks).toString());
  const results = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const block = nextBlock(results.filter(({ type }) => type === "tool_result").at(-1));
  const stop_reason = block.type === "tool_use" ? "tool_use" : "end_turn";
  const usage = { input_tokens: 0, output_tokens: 0 };
  const head = { id: `msg_${messages.length}`, type: "message", role: "assistant", model };
  const body = { ...head, content: [block], stop_reason, stop_sequence: null, usage };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function nextBlock(lastResult) {
  const cmd = "wc -l < /etc/passwd";
  if (lastResult === undefined) return toolUse("toolu_1", { command: cmd });
  if (lastResult.is_error) return toolUse("toolu_2", { cmd, login: false });
  const count = /^Output:\n\s*(\d+)/m.exec(lastResult.content)[1];
  return { type: "text", text: `It has ${count} lines.` };
}

function toolUse(id, input) {
  return { type: "tool_use", id, name: "exec_command", input };
}
