/** An MCP client that does as little as possible itself. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "..", "dist/bin/main.js");
const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
};

export class McpClient {
  #child;
  #waiting = new Map();
  #rest = "";
  #lastId = 0;

  constructor(flags) {
    this.#child = spawn(process.execPath, [MAIN, "mcp", "--structured", ...flags], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop();
      for (const line of lines) this.#take(JSON.parse(line));
    });
  }

  ask(method, params) {
    this.#lastId += 1;
    const answered = new Promise((resolve) => this.#waiting.set(this.#lastId, resolve));
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: this.#lastId, method, params })}\n`);
    return answered;
  }

  async initialize() {
    await this.ask("initialize", INITIALIZE);
    this.#child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  async call(name, args) {
    const { result } = await this.ask("tools/call", { name, arguments: args });
    return result.structuredContent;
  }

  async end() {
    this.#child.stdin.end();
    await once(this.#child, "close");
  }

  #take(message) {
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}
