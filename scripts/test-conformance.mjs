/**
 * `npm run test:conformance`: the MCP conformance tests that apply to our server. They only test servers over HTTP, so
 * this script is a bridge: each connection gets its own `limpet mcp`, and each request becomes one line. docs/mcp.md
 * lists the tests that do not apply.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { fetchMcpTools, server } from "./mcp-tools.mjs";
import { build, report, run } from "./run.mjs";

const SCENARIOS = ["server-initialize", "ping", "logging-set-level", "tools-list", "resources-list"];

const tools = (await build()).ok ? await fetchMcpTools() : undefined;
const counts = { passed: 0, failed: tools ? 0 : 1, skipped: 0 };
if (tools) await testAll();
report(counts);

async function testAll() {
  const connections = new Map();
  const http = createServer((request, response) => void answer(connections, request, response));
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${http.address().port}/mcp`;
  const asked = process.argv.slice(2);
  for (const scenario of asked.length > 0 ? asked : SCENARIOS) {
    const command = [tools.node, tools.conformance, "server", "--url", url, "--scenario", scenario];
    const { ok, output } = await run("conformance", command, { capture: true, limitMs: 60_000 });
    console.log(`${ok ? "passed" : "FAILED"}: ${scenario}${ok ? "" : `\n${output}`}`);
    counts[ok ? "passed" : "failed"] += 1;
  }
  for (const { child } of connections.values()) child.stdin.end();
  http.closeAllConnections();
  http.close();
}

async function answer(connections, request, response) {
  const id = request.headers["mcp-session-id"] ?? randomUUID();
  if (request.method !== "POST") return response.writeHead(405).end();
  let body = "";
  for await (const chunk of request) body += chunk;
  const connection = connections.get(id) ?? connect();
  connections.set(id, connection);
  const result = await connection.ask(JSON.parse(body));
  if (result === undefined) return response.writeHead(202).end();
  response.writeHead(200, { "content-type": "application/json", "mcp-session-id": id });
  return response.end(result);
}

function connect() {
  const child = spawn(server[0], server.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => waiting.get(JSON.parse(line).id)?.(line));
  const ask = (message) => {
    const answered = message.id === undefined ? undefined : new Promise((done) => waiting.set(message.id, done));
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return answered;
  };
  return { child, ask };
}
