/** The HTTP server: its connections and their limits. What it answers is decided by its handlers. */
import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Server as NetServer, Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  MAX_WEB_CONNECTIONS,
  MAX_WEB_HEADER_BYTES,
  WEB_HEADERS_MS,
  WEB_REQUEST_MS,
  WEB_SWEEP_MS,
} from "../../base/web-limits.ts";
import { isOwnUser } from "../../host/server/is-own-user.ts";
import { Connections } from "./connections.ts";
import { listenOnAddress, listenOnFile, listenOnLoopback } from "./listen.ts";
import { OpenVisits } from "./open-visits.ts";
import { loopbackNames, type Named, publicNames, socketNames } from "./own-names.ts";
import { type HandlerOptions, RequestHandler } from "./request-handler.ts";
import { SocketHandler } from "./socket-handler.ts";

/** Where a server listens. `name`: the one in its links, which nobody else knows. */
export type Listening =
  | { readonly kind: "loopback"; readonly port: number; readonly name: string }
  /** `port`: the one that links have, to be forwarded to the socket. */
  | { readonly kind: "file"; readonly path: string; readonly port: number; readonly name: string }
  | {
      readonly kind: "address";
      readonly host: string;
      readonly port: number;
      readonly names: readonly string[];
      readonly tls: { readonly cert: string | Buffer; readonly key: string | Buffer };
    };

const CHECK_EVERY_MS = 2_000;
const KEEP_ALIVE_MS = 5_000;
const LINGER_MS = 500;

const LIMITS: ServerOptions = {
  maxHeaderSize: MAX_WEB_HEADER_BYTES,
  headersTimeout: WEB_HEADERS_MS,
  requestTimeout: WEB_REQUEST_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: CHECK_EVERY_MS,
};

export class WebServer {
  readonly #limits: ServerOptions;
  readonly #open = new OpenVisits();
  readonly #requests: RequestHandler;
  readonly #sockets: SocketHandler;
  readonly #connections = new Connections(MAX_WEB_CONNECTIONS);
  readonly #servers: (Server & NetServer)[] = [];
  readonly #files: string[] = [];
  readonly #sweeping: NodeJS.Timeout;

  constructor(options: HandlerOptions, limits: ServerOptions = LIMITS) {
    this.#limits = limits;
    this.#requests = new RequestHandler(options, this.#open);
    this.#sockets = new SocketHandler(options, this.#open);
    this.#sweeping = setInterval(() => options.visitors.sweep(this.#open.ids), WEB_SWEEP_MS);
    this.#sweeping.unref();
  }

  /** Streams that are open now. */
  get streams(): number {
    return this.#open.streams;
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Resolves with the names under which it can be reached there. */
  async listen(at: Listening): Promise<Named> {
    // Connections can be made before the names are known: they wait.
    let setNames: (names: Named) => void = () => undefined;
    const names = new Promise<Named>((resolve) => {
      setNames = resolve;
    });
    const named = await this.#listenAt(at, names);
    setNames(named);
    return named;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    for (const path of this.#files) rmSync(path, { force: true });
    const closed = this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const server of this.#servers) server.closeAllConnections();
    this.#connections.destroyAll();
    await Promise.all(closed);
  }

  async #listenAt(at: Listening, names: Promise<Named>): Promise<Named> {
    switch (at.kind) {
      case "loopback": {
        const { servers, port } = await listenOnLoopback(
          () => this.#prepare(createServer(this.#limits), names),
          at.port,
        );
        this.#servers.push(...(servers as Server[]));
        return loopbackNames(at.name, port);
      }
      case "file": {
        const server = this.#prepare(createServer(this.#limits), names);
        server.prependListener("connection", (socket: Socket) => isOwnUser(socket) || socket.destroy());
        await listenOnFile(server, at.path);
        this.#servers.push(server);
        this.#files.push(at.path);
        return socketNames(at.name, at.port);
      }
      case "address": {
        const tls = { ...this.#limits, ...at.tls, minVersion: "TLSv1.2", handshakeTimeout: WEB_HEADERS_MS } as const;
        const server = this.#prepare(createSecureServer(tls) as unknown as Server, names, "secureConnection");
        // Also limits connections that never finish their TLS handshake.
        server.maxConnections = 2 * MAX_WEB_CONNECTIONS;
        const port = await listenOnAddress(server, at.host, at.port);
        this.#servers.push(server);
        return publicNames(at.names, port);
      }
    }
  }

  #prepare(server: Server, names: Promise<Named>, connected = "connection"): Server {
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      response.once("close", this.#connections.busy(request.socket));
      void names.then((named) => this.#requests.handle(request, response, named));
    };
    server.on("request", serve);
    // No client gets `100 Continue` before its request was admitted.
    server.on("checkContinue", serve);
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#connections.busy(request.socket);
      void names.then((named) => this.#sockets.handle({ request, socket, head, names: named }));
    });
    server.on(connected, (socket: Socket) => this.#connections.add(socket));
    server.on("clientError", (error, socket) => this.#answerBroken(error, socket as Socket));
    return server;
  }

  /** Sends a short answer to data that is not a request, unless an answer is being sent over that connection. */
  #answerBroken({ code }: NodeJS.ErrnoException, socket: Socket): void {
    // Further bytes of the same request also cause this event.
    if (socket.writableEnded) return;
    const isIdle = this.#connections.isIdle(socket);
    if (code === "ECONNRESET" || !socket.writable || !isIdle) {
      socket.destroy();
      return;
    }
    const status = BROKEN[code ?? ""] ?? "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    // The answer would be lost if the connection were closed while its sender goes on.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }
}

const BROKEN: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};
