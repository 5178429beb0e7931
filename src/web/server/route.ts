/** What the web server can be asked for: routes, who may use them, and what they answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** `view`: see sessions. `control`: also type, approve, and end. */
export type Right = "view" | "control";

/** Who sends a request. */
export interface Visitor {
  /** The name under which it reads and types. */
  readonly caller: string;
  readonly right: Right;
  /** A person signed in with a link; a token is given to an agent, which cannot approve or answer prompts. */
  readonly isPerson: boolean;
  /** The one session that a shared link is for, such as `7` or `build/7`; null: all sessions. */
  readonly session: string | null;
  /** It may only answer this one password prompt of the session, by its token. Default: all that its right allows. */
  readonly prompt?: string | undefined;
}

/** A request that was admitted. */
export interface WebRequest {
  readonly visitor: Visitor;
  /** The parts of the path that a route names, decoded: `id` in `/api/sessions/:id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON body; undefined without one. */
  readonly body: unknown;
  /** `Last-Event-ID` of a stream that is resumed. */
  readonly lastEventId: string | null;
  /** `If-None-Match`. */
  readonly etag: string | null;
  /** Aborted when the connection has closed, and when the visitor's right is revoked. */
  readonly signal: AbortSignal;
}

/** One event of a server-sent stream. */
export interface StreamEvent {
  readonly event: string;
  /** A reader that comes back continues after this id. */
  readonly id?: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

/** What a route answers. A `LimpetError` that it throws is answered as JSON with its code. */
export type WebAnswer =
  | { readonly kind: "json"; readonly value: unknown; readonly status?: number }
  | { readonly kind: "bytes"; readonly type: string; readonly bytes: Uint8Array | string; readonly etag?: string }
  | { readonly kind: "unchanged" }
  | { readonly kind: "events"; readonly events: AsyncIterable<StreamEvent> };

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /**
   * Such as `/api/sessions/:id/input`. A visitor with a shared link reaches only routes with `:id`, and only its own.
   */
  readonly path: string;
  /** Null: anyone, before signing in. */
  readonly right: Right | null;
  /** Only for people. Default false. */
  readonly isForPeople?: boolean;
  /** Visitors with a shared link reach it as well: the route limits its answer to `visitor.session`. Default false. */
  readonly isForShared?: boolean;
  /** Visitors who may only answer a prompt reach it as well. Default false. */
  readonly isForPrompt?: boolean;
  readonly answer: (request: WebRequest) => Promise<WebAnswer>;
}

/**
 * A route that answers by itself, such as MCP. It is reached with a bearer token only, with any method. Its connection
 * is closed when the token is revoked.
 */
export interface TokenRoute {
  readonly path: string;
  readonly right: Right;
  readonly serve: (request: IncomingMessage, response: ServerResponse, visitor: Visitor) => Promise<void>;
}

/**
 * A route for WebSockets. Host, Origin and right are checked before; the route does the handshake. The socket is closed
 * when the visitor's right is revoked.
 */
export interface SocketRoute {
  /** Such as `/live/:id`, with the same rules as that of a `Route`. */
  readonly path: string;
  readonly right: Right;
  readonly isForPeople?: boolean;
  readonly serve: (upgrade: SocketUpgrade) => Promise<void>;
}

export interface SocketUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The first bytes after the request. */
  readonly head: Buffer;
  readonly visitor: Visitor;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
}

/** Everything that a server answers. */
export interface Routes {
  readonly routes: readonly Route[];
  readonly tokenRoutes?: readonly TokenRoute[];
  readonly socketRoutes?: readonly SocketRoute[];
}
