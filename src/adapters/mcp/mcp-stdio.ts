/**
 * JSON-RPC lines over two streams. Every line is either passed to the server or answered here with an error. No line
 * ends the connection, and none is ignored silently.
 */
import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { LineSplitter } from "../../base/format/line-splitter.ts";
import { Admission } from "./calls/admission.ts";
import { type JsonRpcId, type Message, NOT_A_REQUEST, type Refusal, readMessage } from "./read-message.ts";

/** More than any terminal accepts at once; a longer line is a mistake. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

export interface McpStdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Called with every message that the server receives. */
  readonly observe: (message: Message) => void;
  /** Called when an answer was written to the client. */
  readonly onAnswered: (id: JsonRpcId) => void;
}

export class McpStdio implements Transport {
  onmessage: Transport["onmessage"];
  onclose: Transport["onclose"];
  onerror: Transport["onerror"];
  readonly #options: McpStdioOptions;
  readonly #lines = new LineSplitter(MAX_LINE_BYTES);
  readonly #admission = new Admission();
  #isClosed = false;

  constructor(options: McpStdioOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    const close = () => void this.close();
    input.on("data", (chunk: Uint8Array) => this.#take(chunk));
    input.on("end", close).on("close", close).on("error", close);
    // The client no longer reads.
    output.on("error", close);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!("id" in message) || message.id === undefined || "method" in message) {
      this.#write(message);
      return;
    }
    const { id } = message;
    this.#admission.answered(id);
    this.#write(message, () => this.#options.onAnswered(id));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.input.pause();
    this.onclose?.();
  }

  #take(chunk: Uint8Array): void {
    for (const line of this.#lines.push(chunk)) {
      if (this.#isClosed) return;
      if (line.kind === "too-long") {
        const message = `The message has more than ${MAX_LINE_BYTES} bytes. Send it in parts.`;
        this.#refuse({ id: null, code: NOT_A_REQUEST, message });
      } else if (line.text.trim() !== "") this.#takeLine(line.text);
    }
  }

  #takeLine(text: string): void {
    const read = readMessage(text);
    const refusal = read.kind === "refused" ? read.refusal : this.#pass(read.message);
    if (refusal) this.#refuse(refusal);
  }

  #pass(message: Message): Refusal | undefined {
    const parsed = parse(message);
    if (!parsed) return { id: message.id ?? null, code: NOT_A_REQUEST, message: describeUnknown(message) };
    const refusal = this.#admission.admit(message);
    if (refusal) return refusal;
    this.#options.observe(message);
    this.onmessage?.(parsed);
    return undefined;
  }

  #refuse({ id, ...error }: Refusal): void {
    this.#write({ jsonrpc: "2.0", id, error });
  }

  #write(message: unknown, onWritten: () => void = () => undefined): void {
    if (this.#isClosed || !this.#options.output.writable) return;
    this.#options.output.write(`${JSON.stringify(message)}\n`, (error) => error || onWritten());
  }
}

function describeUnknown({ method }: Message): string {
  return `This is not an MCP message${method === undefined ? "" : ` (${method})`}. Check it against the MCP schema.`;
}

function parse(message: Message): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(message);
  } catch {
    return undefined;
  }
}
