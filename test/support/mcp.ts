/** `limpet mcp` in a process of its own: driven by the official client, or line by line. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type CallToolResult, Client, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { until } from "./sessions.ts";

export const MAIN: string = fileURLToPath(new URL("../../dist/bin/main.js", import.meta.url));

/** The protocol before 2026, and the one of 2026. */
export type Era = "legacy" | "2026-07-28";

export interface Connected {
  readonly client: Client;
  readonly pid: number;
  /** The text of a tool's answer. */
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  structured(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function connect(era: Era = "legacy", args: readonly string[] = []): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", "--in-process", "--structured", ...args],
  });
  return await connectTo(era, transport, { pid: () => transport.pid ?? -1, close: async () => undefined });
}

interface Process {
  pid(): number;
  close(): Promise<void>;
}

export async function connectTo(era: Era, transport: Transport, server: Process): Promise<Connected> {
  const mode = era === "legacy" ? "legacy" : { pin: era };
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const result = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given });
  return {
    client,
    pid: server.pid(),
    call: async (name, given = {}) => textOf(await result(name, given)),
    structured: async (name, given = {}) => (await result(name, given)).structuredContent as Record<string, unknown>,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
}

export interface Answer {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: "init",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

interface RawOptions {
  /** Default `in-process`. */
  readonly where?: "in-process" | "host";
  /** Whether answers have fields for tests to read. By default they have, which is not the server's own default. */
  readonly form?: "structured" | "text";
  /** Default: that of this process. */
  readonly cwd?: string | undefined;
}

/** Writes any bytes, and reads every line of stdout as a message. */
export class RawClient implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly answers: Answer[] = [];
  readonly ended: Promise<unknown>;

  constructor(args: readonly string[] = [], { where = "in-process", form = "structured", cwd }: RawOptions = {}) {
    const flags = [...(where === "host" ? [] : ["--in-process"]), ...(form === "text" ? [] : ["--structured"])];
    this.child = spawn(process.execPath, [MAIN, "mcp", ...flags, ...args], { cwd });
    this.ended = once(this.child, "close");
    // A line that is not JSON fails the test that reads it.
    createInterface({ input: this.child.stdout }).on("line", (line) => this.answers.push(JSON.parse(line) as Answer));
  }

  async initialize(name = "raw"): Promise<Answer> {
    const params = { ...INITIALIZE.params, clientInfo: { name, version: "1" } };
    const answer = await this.ask({ ...INITIALIZE, params });
    this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  send(message: unknown): void {
    this.child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  async ask(message: { readonly id: string | number; readonly [field: string]: unknown }): Promise<Answer> {
    this.send({ jsonrpc: "2.0", ...message });
    return await this.answer(({ id }) => id === message.id);
  }

  tool(id: string | number, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    return this.ask({ id, method: "tools/call", params: { name, arguments: args } });
  }

  /** The first message that fits, taken out of `answers`. */
  async answer(fits: (answer: Answer) => boolean): Promise<Answer> {
    await until(
      () => this.answers.some(fits),
      () => `an answer that fits; there are ${JSON.stringify(this.answers).slice(0, 2_000)}`,
    );
    const [found] = this.answers.splice(this.answers.findIndex(fits), 1);
    return found as Answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin.end();
    await this.ended;
  }
}
