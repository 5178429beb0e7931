/** One `limpet mcp`, asked by several HTTP requests at once: each gets an id of its own on the way in. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { server } from "../mcp-tools.mjs";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

export class StdioServer {
  #child = spawn(server[0], server.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  /** By the id on the way in: `{ id, onMessage }`. */
  #pending = new Map();
  #count = 0;

  constructor() {
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#take(JSON.parse(line)));
  }

  /** `onMessage` is called with each notification for this request, then with its answer. Returns a way to cancel. */
  ask(message, onMessage) {
    this.#count += 1;
    const own = `bridge-${this.#count}`;
    this.#pending.set(own, { id: message.id, onMessage });
    this.tell({ ...message, id: own });
    return () => {
      if (!this.#pending.delete(own)) return;
      this.tell({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: own } });
    };
  }

  tell(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  close() {
    this.#child.stdin.end();
  }

  #take(message) {
    const own = message.method === undefined ? message.id : message.params?._meta?.[SUBSCRIPTION];
    const asked = this.#pending.get(own);
    if (!asked) return;
    if (message.method === undefined) this.#pending.delete(own);
    asked.onMessage(withId(message, asked.id));
  }
}

function withId(message, id) {
  if (message.method === undefined) return { ...message, id };
  const { params } = message;
  return { ...message, params: { ...params, _meta: { ...params._meta, [SUBSCRIPTION]: id } } };
}
