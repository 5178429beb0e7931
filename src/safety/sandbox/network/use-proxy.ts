/**
 * The proxy through which programs in sandboxes reach the hosts that they may connect to. It runs in this process, on
 * the loopback address, and resolves names itself: the programs can neither resolve names nor connect elsewhere. Each
 * session has its own password, which says what it may reach.
 */
import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, isIP, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import { LimpetError } from "../../../base/limpet-error.ts";
import { type AllowedHost, allowedBy, canonicalName, parseAllowedHost, type WantedHost } from "./allowed-host.ts";
import { allowedAddresses, isLocalhost, parseWantedHost } from "./judge-connection.ts";

type Resolve = (name: string) => Promise<readonly string[]>;

export interface ProxyUse {
  readonly hosts: readonly string[];
  /** Default: what this machine resolves names with. */
  readonly resolve?: Resolve | undefined;
  /** Called with the host and port of each connection that is refused. */
  readonly onRefused?: ((host: string) => void) | undefined;
}

/** What a session may use the proxy for, and what it has open. */
interface Guest extends Pick<ProxyUse, "onRefused"> {
  readonly resolve: Resolve;
  readonly hosts: readonly AllowedHost[];
  readonly open: Set<Duplex>;
}

/** For one session: what its programs use, until `end`. */
export interface ProxyAccess {
  readonly url: string;
  end(): void;
}

const USER = "limpet";
/** More connections of one session are refused. */
const MAX_OPEN = 512;
const CONNECT_MS = 30_000;
/** Of all sessions, also those that have not sent a password yet: each takes a descriptor of this process. */
const MAX_CONNECTIONS = 2_048;
/** A connection that has not said what it wants by then is closed. */
const HEADERS_MS = 10_000;
const LOOK_EVERY_MS = 5_000;
/** Hop-by-hop headers: they are about this connection, and are not forwarded to the server. */
const HOP_HEADERS = ["connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer", "upgrade"];

const guests = new Map<string, Guest>();

let started: Promise<number> | undefined;

/** The port of the proxy. Starts it on first use; it never keeps this process running. */
export async function proxyPort(): Promise<number> {
  started ??= start().catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return await started;
}

/** Lets a session use the proxy. */
export async function useProxy({ hosts, resolve = resolveHere, onRefused }: ProxyUse): Promise<ProxyAccess> {
  const port = await proxyPort();
  const password = randomBytes(24).toString("hex");
  const allowed = hosts.map(parseAllowedHost).filter((host) => host !== undefined);
  const guest: Guest = { hosts: allowed, resolve, onRefused, open: new Set() };
  guests.set(password, guest);
  return {
    url: `http://${USER}:${password}@127.0.0.1:${port}`,
    end: () => {
      guests.delete(password);
      for (const stream of guest.open) stream.destroy();
    },
  };
}

async function start(): Promise<number> {
  // Most processes never need it, and loading it takes milliseconds.
  const { createServer } = await import("node:http");
  const options = { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_EVERY_MS };
  const server: Server = createServer(options, (asked, answer) => void forward(asked, answer));
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connect", (asked: IncomingMessage, socket: Duplex, head: Buffer) => void tunnel(asked, socket, head));
  server.on("clientError", (_error, socket) => socket.destroy());
  // An upload or a download may take any time.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const next = "Free ports on the loopback address, or change the sandbox's network.";
      reject(new LimpetError("SANDBOX_UNAVAILABLE", `The sandbox's proxy could not be started. ${next}`, { cause }));
    });
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** Why a request is refused, for the program that asked. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function tunnel(asked: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  socket.on("error", () => socket.destroy());
  try {
    const guest = admit(asked, socket);
    const far = await reach(guest, parseWantedHost(asked.url ?? ""));
    hold(guest, far);
    far.on("error", () => socket.destroy());
    far.once("close", () => socket.destroy());
    socket.once("close", () => far.destroy());
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) far.write(head);
    far.pipe(socket).pipe(far);
  } catch (error) {
    const { status, message } = refusalOf(error);
    const more = status === 407 ? `Proxy-Authenticate: Basic realm="${USER}"\r\n` : "";
    socket.end(`HTTP/1.1 ${status} Refused\r\n${more}Content-Length: ${message.length}\r\n\r\n${message}`);
  }
}

/** A request without encryption, which names its server in its first line. */
async function forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { request } = await import("node:http");
  try {
    const guest = admit(asked, asked.socket);
    const url = URL.canParse(asked.url ?? "") ? new URL(asked.url ?? "") : undefined;
    if (url?.protocol !== "http:") throw new Refused(400, "limpet: only http and CONNECT go through this proxy.\n");
    const far = await reach(guest, parseWantedHost(url.host, 80));
    hold(guest, far);
    const headers: NodeJS.Dict<string | string[]> = { ...asked.headers, host: url.host };
    for (const name of HOP_HEADERS) delete headers[name];
    const passed = request({
      createConnection: () => far,
      method: asked.method ?? "GET",
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, connection: "close" },
      setHost: false,
    });
    passed.once("response", (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
      answered.once("error", () => answer.destroy());
    });
    passed.once("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    answer.once("close", () => far.destroy());
    asked.pipe(passed);
  } catch (error) {
    const { status, message } = refusalOf(error);
    const more = status === 407 ? { "proxy-authenticate": `Basic realm="${USER}"` } : {};
    asked.resume();
    answer.writeHead(status, { "content-type": "text/plain", ...more }).end(message);
  }
}

/** Throws unless a session asks that may use the proxy. */
function admit({ headers }: IncomingMessage, socket: Duplex): Guest {
  const [, encoded = ""] = /^basic (.*)$/i.exec(headers["proxy-authorization"] ?? "") ?? [];
  const [user, password = ""] = Buffer.from(encoded, "base64").toString("latin1").split(":");
  const guest = user === USER ? guests.get(password) : undefined;
  if (!guest) throw new Refused(407, "limpet: this proxy is for the session that was given its password.\n");
  if (guest.open.size >= MAX_OPEN) throw new Refused(503, "limpet: the session has too many connections open.\n");
  hold(guest, socket);
  return guest;
}

/** Connects to a host if the session may, and to no other address than those that were checked. */
async function reach(guest: Guest, wanted: WantedHost | undefined): Promise<Socket> {
  if (!wanted) throw new Refused(400, "limpet: the request names no host and port.\n");
  if (!allowedBy(guest.hosts, wanted)) throw refuse(guest, wanted);
  const known = isIP(wanted.name) === 0 ? await addressesOf(guest, wanted) : [wanted.name];
  const addresses = allowedAddresses(guest.hosts, wanted, { addresses: known, own: ownAddresses() });
  if (known.length > 0 && addresses.length === 0) throw refuse(guest, wanted);
  for (const address of addresses) {
    const socket = await connectTo(address, wanted.port);
    if (socket) return socket;
  }
  throw new Refused(502, `limpet: ${wanted.name} cannot be reached.\n`);
}

async function addressesOf({ resolve }: Guest, { name }: WantedHost): Promise<readonly string[]> {
  if (isLocalhost(name)) return ["127.0.0.1", "::1"];
  return await resolve(name).catch(() => []);
}

function refuse({ onRefused }: Guest, { name, port }: WantedHost): Refused {
  const host = `${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
  onRefused?.(host);
  return new Refused(403, `limpet: the sandbox does not allow connections to ${host}.\n`);
}

/** Undefined if it cannot be connected to. */
async function connectTo(host: string, port: number): Promise<Socket | undefined> {
  const socket = connect({ host, port, timeout: CONNECT_MS });
  return await new Promise((resolve) => {
    const fail = () => {
      socket.destroy();
      resolve(undefined);
    };
    socket.once("error", fail).once("timeout", fail);
    socket.once("connect", () => {
      socket.off("error", fail).off("timeout", fail).setTimeout(0);
      resolve(socket);
    });
  });
}

/** What is open ends with the session. */
function hold({ open }: Guest, stream: Duplex): void {
  if (open.has(stream)) return;
  open.add(stream);
  stream.once("close", () => open.delete(stream));
}

function refusalOf(error: unknown): Pick<Refused, "status" | "message"> {
  return error instanceof Refused ? error : { status: 502, message: "limpet: the connection failed.\n" };
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).map(({ address }) => canonicalName(address)),
  );
}

async function resolveHere(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
