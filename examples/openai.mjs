/**
 * An agent on OpenAI's Responses API, without the network: a server in this script speaks its wire format and plays a
 * model that computes with a Python REPL. With another address and a key, the loop is one for the real API.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { createOpenAiTools } from "limpet/openai";

const server = createServer(answer).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}/v1/responses`;
const limpet = createOpenAiTools();

try {
  console.log(`agent: ${await runAgent("What is 2 to the power of 100?")}`);
} finally {
  await limpet.close();
  server.close();
}

async function runAgent(question) {
  console.log(`user: ${question}`);
  const input = [{ role: "user", content: question }];
  for (;;) {
    const { output } = await ask({ model: "scripted", input, tools: limpet.tools });
    const calls = output.filter(({ type }) => type === "function_call");
    if (calls.length === 0) return output[0].content[0].text;
    for (const { name, arguments: json } of calls) console.log(`call: ${name} ${json}`);
    const results = await Promise.all(calls.map((call) => limpet.handleCall(call)));
    for (const result of results) console.log(result.output.replace(/^/gm, "  | "));
    input.push(...output, ...results);
  }
}

async function ask(body) {
  const headers = { "content-type": "application/json", authorization: "Bearer none-needed" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return await response.json();
}

/** The server: a response is made from what the model would have in front of it, and from nothing else. */
async function answer(request, response) {
  const chunks = await request.toArray();
  const { model, input } = JSON.parse(Buffer.concat(chunks).toString());
  const results = input.filter(({ type }) => type === "function_call_output").map(({ output }) => output);
  const id = `resp_${input.length}`;
  const body = { id, object: "response", status: "completed", model, output: [nextItem(results)] };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function nextItem(results) {
  const [started, computed] = results;
  if (started === undefined) return functionCall("call_1", "exec_command", { cmd: "python3 -q", login: false });
  if (computed === undefined) {
    const session_id = Number(/session ID (\d+)/.exec(started)[1]);
    return functionCall("call_2", "write_stdin", { session_id, chars: "2 ** 100\n", yield_time_ms: 10_000 });
  }
  const content = [{ type: "output_text", text: `It is ${/\b\d{20,}\b/.exec(computed)[0]}.`, annotations: [] }];
  return { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
}

function functionCall(call_id, name, args) {
  const json = JSON.stringify(args);
  return { type: "function_call", id: `fc_${call_id}`, call_id, name, arguments: json, status: "completed" };
}
