/** A WebSocket over which a server sends binary messages. From the client it accepts only control frames. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { CLOSE_CODES, FrameReader } from "./frame-reader.ts";

const HANDSHAKE_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const BINARY = 0x82;
const CLOSE = 0x88;
const PING = 0x89;
const PONG = 0x8a;
const PING_EVERY_MS = 20_000;
/** A client has no reason to send more. */
const MAX_FRAMES_PER_SECOND = 50;
const SECOND_MS = 1_000;

interface SocketParts {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** The one that both sides use. */
  readonly protocol: string;
}

/** Whether the request asks for a WebSocket with this protocol. */
export function asksFor(protocol: string, { headers }: IncomingMessage): boolean {
  const key = headers["sec-websocket-key"] ?? "";
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  const isUpgrade = headers.upgrade?.toLowerCase() === "websocket" && headers["sec-websocket-version"] === "13";
  return isUpgrade && /^[A-Za-z0-9+/]{22}==$/.test(key) && offered.includes(protocol);
}

export class WebSocketSender {
  readonly #socket: Duplex;
  readonly #reader = new FrameReader();
  readonly #pinging: NodeJS.Timeout;
  readonly #closed = new AbortController();
  #frames = 0;
  #secondStartedMs = 0;

  /** Answers the handshake. Call it only if `asksFor`. */
  constructor({ request, socket, head, protocol }: SocketParts) {
    this.#socket = socket;
    const key = `${request.headers["sec-websocket-key"]}${HANDSHAKE_KEY}`;
    const accept = createHash("sha1").update(key).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
    );
    this.#pinging = setInterval(() => this.#write(PING, Buffer.alloc(0)), PING_EVERY_MS);
    this.#pinging.unref();
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.once("close", () => this.#end());
    socket.once("end", () => socket.destroy());
    if (head.length > 0) this.#take(head);
  }

  /** Aborted when the connection has ended. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  /** Resolves when more can be sent: a client that reads slowly makes its sender wait. */
  async send(message: Uint8Array): Promise<void> {
    if (this.#closed.signal.aborted || this.#write(BINARY, message)) return;
    await new Promise<void>((resolve) => {
      const onReady = () => {
        this.#socket.off("drain", onReady);
        this.#closed.signal.removeEventListener("abort", onReady);
        resolve();
      };
      this.#socket.on("drain", onReady);
      this.#closed.signal.addEventListener("abort", onReady);
    });
  }

  close(code: number = CLOSE_CODES.normal): void {
    if (this.#closed.signal.aborted) return;
    const content = Buffer.alloc(2);
    content.writeUInt16BE(code);
    this.#write(CLOSE, content);
    this.#socket.end();
    this.#end();
  }

  #take(chunk: Buffer): void {
    if (this.#closed.signal.aborted) return;
    for (const frame of this.#reader.push(chunk)) {
      if (frame.kind === "close") this.close(frame.code);
      else if (this.#isTooMany()) this.close(CLOSE_CODES.notAllowed);
      else if (frame.kind === "ping") this.#write(PONG, frame.content);
      if (this.#closed.signal.aborted) return;
    }
  }

  #isTooMany(): boolean {
    const now = performance.now();
    if (now - this.#secondStartedMs > SECOND_MS) {
      this.#secondStartedMs = now;
      this.#frames = 0;
    }
    this.#frames += 1;
    return this.#frames > MAX_FRAMES_PER_SECOND;
  }

  #write(first: number, content: Uint8Array): boolean {
    if (!this.#socket.writable) return false;
    this.#socket.write(headOf(first, content.length));
    return this.#socket.write(content);
  }

  #end(): void {
    clearInterval(this.#pinging);
    this.#closed.abort();
  }
}

/** The head of a frame from a server, which is not masked. */
function headOf(first: number, length: number): Buffer {
  if (length < 126) return Buffer.from([first, length]);
  const long = Buffer.alloc(length < 65_536 ? 4 : 10);
  long[0] = first;
  long[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) long.writeUInt16BE(length, 2);
  else long.writeBigUInt64BE(BigInt(length), 2);
  return long;
}
