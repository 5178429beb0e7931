/** The web server in this process with routes of a test, and requests as bytes. */
import type { ServerOptions } from "node:http";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import type { Right, Routes } from "../../../src/web/server/route.ts";
import { Attempts } from "../../../src/web/server/sign-in/attempts.ts";
import { Grants } from "../../../src/web/server/sign-in/grants.ts";
import type { Password } from "../../../src/web/server/sign-in/password.ts";
import { Visitors } from "../../../src/web/server/sign-in/visitors.ts";
import { WebServer } from "../../../src/web/server/web-server.ts";
import { TokenFile } from "../../../src/web/tokens/token-file.ts";
import { LONG_MS, temporaryDirectory } from "../watching.ts";

export const NAME = "limpet-test.localhost";

export interface RawAnswer {
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Sent {
  readonly method?: string;
  /** An array is sent as several headers. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export interface ServedWeb {
  readonly port: number;
  readonly base: string;
  /** Host header of a request to its address. */
  readonly host: string;
  readonly origin: string;
  readonly grants: Grants;
  readonly tokens: TokenFile;
  readonly server: WebServer;
  readonly problems: readonly string[];
  /** The Cookie header of somebody who has signed in. */
  signIn(given?: { readonly right?: Right; readonly session?: string; readonly forMs?: number }): string;
  /** With Host, and Origin unless it is given or there is a token. */
  ask(path: string, sent?: Sent): Promise<RawAnswer>;
  /** Exactly these bytes. */
  raw(bytes: string | Buffer): Promise<RawAnswer>;
}

interface ServeOptions {
  readonly limits?: ServerOptions;
  readonly password?: Password;
}

/** Ends with the test. */
export async function serveWeb(routes: Routes, options: ServeOptions = {}): Promise<ServedWeb> {
  const web = await startWeb(routes, { ...options, folder: temporaryDirectory() });
  onTestFinished(() => web.server.close());
  return web;
}

/** For several tests: whoever starts it closes it. `folder`: for its tokens. */
export async function startWeb(
  routes: Routes,
  { limits, password, folder = "/nowhere" }: ServeOptions & { readonly folder?: string } = {},
): Promise<ServedWeb> {
  const problems: string[] = [];
  const tokens = new TokenFile(folder);
  const grants = new Grants(Date.now);
  const server = new WebServer(
    {
      routes,
      visitors: new Visitors(grants, tokens),
      signIn: { grants, attempts: new Attempts(Date.now), password },
      onProblem: (text) => problems.push(text),
      onUse: () => undefined,
    },
    limits,
  );
  const { base } = await server.listen({ kind: "loopback", port: 0, name: NAME });
  const port = Number(new URL(base).port);
  const host = `127.0.0.1:${port}`;
  const origin = `http://${host}`;
  const ask = (path: string, { method = "GET", headers = {}, body = "" }: Sent = {}) => {
    const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const needsOrigin = method !== "GET" && !names.has("origin") && !names.has("authorization");
    const all = {
      ...(names.has("host") ? {} : { Host: host }),
      ...(needsOrigin ? { Origin: origin } : {}),
      ...(body.length > 0 && !names.has("transfer-encoding") && !names.has("content-length")
        ? { "Content-Length": String(Buffer.byteLength(body)) }
        : {}),
      ...(body.length > 0 && !names.has("content-type") ? { "Content-Type": "application/json" } : {}),
      Connection: "close",
      ...headers,
    };
    const lines = Object.entries(all).flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`));
    return exchange(port, Buffer.concat([head(`${method} ${path} HTTP/1.1`, lines), Buffer.from(body)]));
  };
  return {
    port,
    base,
    host,
    origin,
    grants,
    tokens,
    server,
    problems,
    signIn({ right = "control", session, forMs } = {}) {
      const { key } = grants.issue({ right, session: session ?? null, ...(forMs === undefined ? {} : { forMs }) });
      return `limpet-${port}=${grants.redeem(key)?.cookie}`;
    },
    ask,
    raw: (bytes) => exchange(port, Buffer.from(bytes)),
  };
}

function head(first: string, lines: readonly string[]): Buffer {
  return Buffer.from(`${[first, ...lines].join("\r\n")}\r\n\r\n`, "latin1");
}

/** Sends the bytes and reads until the other side closes. */
function exchange(port: number, bytes: Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(LONG_MS, () => socket.destroy(new Error("The server did not answer.")));
    socket.on("data", (chunk) => chunks.push(chunk));
    // A server may reset the connection while the request is still being sent.
    socket.on("error", (error: NodeJS.ErrnoException) => error.code === undefined && reject(error));
    socket.on("close", () => resolve(parseAnswer(Buffer.concat(chunks).toString("latin1"))));
  });
}

function parseAnswer(text: string): RawAnswer {
  const [top = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = top.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(first)?.[1] ?? 0), headers, body: rest.join("\r\n\r\n") };
}

/** The JSON of an answer. */
export function jsonOf({ body }: RawAnswer): unknown {
  return JSON.parse(body);
}
