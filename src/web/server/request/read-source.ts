/** What a request says about where it comes from, as plain data. */
import type { IncomingMessage } from "node:http";
import type { Source } from "./check-source.ts";

export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Undefined unless the target is a path. Requests to proxies have whole addresses, which this server refuses. */
export function targetOf(url: string | undefined): RequestTarget | undefined {
  if (url === undefined || !url.startsWith("/")) return undefined;
  const [, path = "/", query = ""] = /^([^?#]*)\??([^#]*)/.exec(url) ?? [];
  return { path, query: new URLSearchParams(query) };
}

export function sourceOf(request: IncomingMessage, path: string): Source {
  const { headersDistinct: headers, method = "" } = request;
  return {
    method,
    path,
    // Node keeps the first Host header only.
    hosts: valuesOf(request.rawHeaders, "host"),
    origins: headers["origin"] ?? [],
    sites: headers["sec-fetch-site"] ?? [],
    fetchMode: headers["sec-fetch-mode"]?.join(),
    fetchDest: headers["sec-fetch-dest"]?.join(),
    hasToken: headers["authorization"] !== undefined,
    isUpgrade: request.headers.upgrade !== undefined,
  };
}

/** `raw`: names and values in turn. */
export function valuesOf(raw: readonly string[], name: string): readonly string[] {
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}
