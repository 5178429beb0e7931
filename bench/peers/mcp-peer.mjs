/** A contender that speaks MCP over stdin and stdout. Counts calls, and the tokens that a model writes and reads. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
const CALL_MS = 30_000;
const END_MS = 3_000;

export const tokensOf = (value) =>
  Math.ceil(Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value)) / 4);

export class McpPeer {
  usage = { calls: 0, tokens: 0 };
  tools = [];
  /** The server's instructions for a model. */
  instructions = "";
  #child;
  #waiting = new Map();
  #rest = "";
  #lastId = 0;

  constructor([program, ...args], { env, cwd }) {
    this.#child = spawn(program, args, { env, cwd, stdio: ["pipe", "pipe", "ignore"] });
    this.#child.on("error", () => undefined);
    this.#child.stdin.on("error", () => undefined);
    this.#child.stdout.setEncoding("utf8").on("data", (text) => this.#take(text));
    this.#child.on("close", () => {
      for (const settle of this.#waiting.values()) settle({ error: { message: "the server has ended" } });
      this.#waiting.clear();
    });
  }

  get pid() {
    return this.#child.pid;
  }

  async initialize() {
    this.instructions = (await this.ask("initialize", INITIALIZE)).instructions ?? "";
    this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    this.tools = (await this.ask("tools/list", {})).tools;
  }

  async ask(method, params, limitMs = CALL_MS) {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw new Error("the server has ended");
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.#send({ jsonrpc: "2.0", id, method, params });
    const stop = new AbortController();
    const late = sleep(
      limitMs,
      { error: { message: `no answer within ${limitMs / 1000} s` } },
      { signal: stop.signal },
    );
    late.catch(() => undefined);
    const { result, error } = await Promise.race([answered, late]);
    stop.abort();
    this.#waiting.delete(id);
    if (error) throw new Error(error.message);
    return result;
  }

  /** All text of the answer, as a model gets it. */
  async call(name, args, { limitMs } = {}) {
    this.usage.calls += 1;
    this.usage.tokens += tokensOf({ name, arguments: args });
    const { content = [], isError = false } = await this.ask("tools/call", { name, arguments: args }, limitMs);
    const text = content.map((part) => part.text ?? "").join("\n");
    this.usage.tokens += tokensOf(text);
    return { text, isError };
  }

  /** Ends the server like a client: closes its input, then kills it. */
  async end() {
    if (this.#child.pid === undefined) return;
    const closed = this.#child.exitCode === null && this.#child.signalCode === null ? once(this.#child, "close") : null;
    this.#child.stdin.end();
    await Promise.race([closed, sleep(END_MS, undefined, { ref: false })]);
    this.kill();
  }

  kill() {
    this.#child.kill("SIGKILL");
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #take(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) {
      // Some servers print other things than messages.
      if (!line.startsWith("{")) continue;
      const message = JSON.parse(line);
      this.#waiting.get(message.id)?.(message);
    }
  }
}
