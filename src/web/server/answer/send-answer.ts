/** Sends what a route answers, or why a request is refused. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { BoundedMap } from "../../../base/bounded-map.ts";
import type { Refusal } from "../refusal.ts";
import type { WebAnswer } from "../route.ts";
import { drainRequest } from "./drain-request.ts";
import { securityHeaders } from "./security-headers.ts";

const JSON_TYPE = "application/json; charset=utf-8";
/** Smaller files do not shrink enough to matter. */
const MIN_PACKED_BYTES = 1024;
/** The files of the page; pictures and answers are never packed, as their size would reveal what is in them. */
const MAX_PACKED_FILES = 64;

const pack = promisify(gzip);
const packed = new BoundedMap<string, Promise<Buffer>>(MAX_PACKED_FILES);

export interface SendOptions {
  /** Everybody may have it, so it may be packed. */
  readonly isPublic: boolean;
  /** The value of Set-Cookie. */
  readonly cookie?: string | undefined;
}

type PlainAnswer = Exclude<WebAnswer, { readonly kind: "events" }>;
type BytesAnswer = Extract<WebAnswer, { readonly kind: "bytes" }>;

export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, isPublic, cookie }: SendOptions & { readonly answer: PlainAnswer },
): Promise<void> {
  const cookies = cookie === undefined ? {} : { "set-cookie": cookie };
  switch (answer.kind) {
    case "json": {
      const headers = { "content-type": JSON_TYPE, "cache-control": "no-store", ...cookies };
      send(response, answer.status ?? 200, headers, JSON.stringify(answer.value ?? null));
      return;
    }
    case "unchanged":
      send(response, 304, { "cache-control": "no-cache" });
      return;
    case "bytes":
      await sendBytes(request, response, { answer, isPublic });
  }
}

export async function sendRefusal(
  response: ServerResponse,
  { status, code, message, headers = {} }: Refusal,
): Promise<void> {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { req: request } = response;
  const all = { "content-type": JSON_TYPE, "cache-control": "no-store", ...headers };
  const body = JSON.stringify({ error: { code, message } });
  if (request.complete) {
    send(response, status, all, body);
    return;
  }
  // A sender that waits for `100 Continue` sends no body.
  const isWaiting = request.headers.expect !== undefined;
  response.writeHead(status, { ...headersFor(all, body), connection: "close" });
  response.write(body);
  if (!isWaiting) await drainRequest(request);
  response.end();
}

async function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, isPublic }: { readonly answer: BytesAnswer; readonly isPublic: boolean },
): Promise<void> {
  const { type, bytes, etag } = answer;
  const tag = etag === undefined ? {} : { etag };
  const common = { "content-type": type, "cache-control": "no-cache", ...tag };
  if (etag !== undefined && request.headers["if-none-match"] === etag) {
    send(response, 304, common);
    return;
  }
  const isText = /^(?:text\/|application\/(?:javascript|json|manifest)|image\/svg)/.test(type);
  const wantsPacked = /(?:^|[\s,])gzip(?:[\s,;]|$)/.test(request.headers["accept-encoding"] ?? "");
  const isLong = bytes.length >= MIN_PACKED_BYTES;
  if (isPublic && etag !== undefined && isText && wantsPacked && isLong) {
    const key = `${request.url} ${etag}`;
    let packing = packed.get(key);
    if (packing === undefined) {
      packing = pack(bytes);
      packed.set(key, packing);
    }
    send(response, 200, { ...common, "content-encoding": "gzip", vary: "accept-encoding" }, await packing);
  } else send(response, 200, { ...common, ...(isText ? { vary: "accept-encoding" } : {}) }, bytes);
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | string = "",
): void {
  if (response.destroyed) return;
  response.writeHead(status, status === 304 ? headersFor(headers) : headersFor(headers, body));
  response.end(body);
}

function headersFor(
  headers: Readonly<Record<string, string>>,
  body?: Uint8Array | string,
): Readonly<Record<string, string>> {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return { ...securityHeaders(headers["content-type"] ?? ""), ...headers, ...length };
}
