/** Admits WebSockets by the same rules as requests. The route does the handshake and everything after it. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { MAX_VISITOR_STREAMS } from "../../base/web-limits.ts";
import type { OpenVisits } from "./open-visits.ts";
import { NOT_A_PATH, noteFault, notFound, type Refusal, TOO_MANY_STREAMS } from "./refusal.ts";
import { checkRight, NOT_SIGNED_IN } from "./request/check-right.ts";
import { checkSource, type OwnNames } from "./request/check-source.ts";
import { type RequestTarget, sourceOf, targetOf } from "./request/read-source.ts";
import { RouteTable } from "./request/route-table.ts";
import type { HandlerOptions } from "./request-handler.ts";
import type { SocketRoute } from "./route.ts";
import { cookieRules } from "./sign-in/cookie.ts";

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly names: OwnNames;
}

export class SocketHandler {
  readonly #options: HandlerOptions;
  readonly #table: RouteTable<SocketRoute>;
  readonly #open: OpenVisits;

  constructor(options: HandlerOptions, open: OpenVisits) {
    this.#options = options;
    this.#table = new RouteTable(options.routes.socketRoutes ?? []);
    this.#open = open;
  }

  /** Never rejects. */
  async handle(upgrade: Upgrade): Promise<void> {
    const { request, socket, names } = upgrade;
    // The close event, which follows, handles a broken connection.
    socket.on("error", () => undefined);
    const target = targetOf(request.url);
    try {
      const refusal = target
        ? (checkSource(sourceOf(request, target.path), names) ?? (await this.#serve(upgrade, target)))
        : NOT_A_PATH;
      if (!refusal) return;
      this.#options.onRefused?.(refusal);
      refuse(socket, refusal);
    } catch (error) {
      if (!socket.destroyed) noteFault(error, target?.path, this.#options.onProblem);
      socket.destroy();
    }
  }

  async #serve(upgrade: Upgrade, { path, query }: RequestTarget): Promise<Refusal | undefined> {
    const { request, socket, head, names } = upgrade;
    const found = this.#table.find("GET", path);
    if (found.kind !== "found" || request.method !== "GET") return notFound();
    const { route, params } = found;
    const identified = this.#options.visitors.identify(request, cookieRules(request.headers.host ?? "", names.scheme));
    if (identified.kind === "refused") return identified.refusal;
    if (identified.kind === "nobody") return NOT_SIGNED_IN;
    const { visit } = identified;
    const refusal = checkRight(route, visit.visitor, params);
    if (refusal) return refusal;
    this.#options.onUse();
    const during = this.#open.begin(visit, socket);
    if (!during.countStream(MAX_VISITOR_STREAMS)) {
      during.end();
      return TOO_MANY_STREAMS;
    }
    during.signal.addEventListener("abort", () => void socket.destroy(), { once: true });
    // The route may return before the connection ends.
    socket.once("close", () => during.end());
    await route.serve({ request, socket, head, visitor: visit.visitor, params, query, signal: during.signal });
    return undefined;
  }
}

function refuse(socket: Duplex, { status, code, message }: Refusal): void {
  const body = JSON.stringify({ error: { code, message } });
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
