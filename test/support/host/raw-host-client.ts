/** A client that sends arbitrary lines to a host. */
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { LineSplitter } from "../../../src/base/format/line-splitter.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { PROTOCOL } from "../../../src/host/protocol.ts";
import { until } from "../sessions.ts";
import { hostAt, hostDirectory } from "./host.ts";

export const HELLO: object = { jsonrpc: "2.0", id: 1, method: "hello", params: { protocol: PROTOCOL, version: "0" } };

interface RawMessage {
  readonly id?: number | null;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
}

export class RawHostClient {
  readonly socket: Socket;
  readonly messages: RawMessage[] = [];
  isClosed = false;

  constructor(directory: string) {
    const lines = new LineSplitter(1024 * 1024);
    this.socket = connect(join(directory, "host.sock"));
    this.socket.on("data", (chunk: Buffer) => {
      for (const line of lines.push(chunk))
        if (line.kind === "line") this.messages.push(JSON.parse(line.text) as RawMessage);
    });
    this.socket.on("error", () => undefined);
    this.socket.on("close", () => {
      this.isClosed = true;
    });
    onTestFinished(() => void this.socket.destroy());
  }

  send(message: unknown): void {
    this.socket.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  async answers(ids: readonly number[]): Promise<readonly RawMessage[]> {
    const isIn = (found: ReadonlyMap<unknown, RawMessage>) => ids.every((id) => found.has(id));
    const byId = () => new Map(this.messages.map((message) => [message.id, message]));
    await until(() => isIn(byId()), "all answers", 80_000);
    const found = byId();
    return ids.map((id) => found.get(id) as RawMessage);
  }

  async answer(id: number | null): Promise<RawMessage> {
    await until(() => this.messages.some((message) => message.id === id), `an answer to ${id}`);
    return this.messages.find((message) => message.id === id) as RawMessage;
  }
}

/** Starts a separate host, with a regular client of it. */
export async function openHost(
  nodeFlags: readonly string[] = [],
): Promise<{ readonly directory: string; readonly client: HostClient }> {
  const directory = hostDirectory();
  const client = hostAt(directory, nodeFlags);
  await client.list({ ended: false });
  return { directory, client };
}
