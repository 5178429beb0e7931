/** The API of the page over a service, without HTTP: requests as a signed-in person sends them. */
import { join } from "node:path";
import { expect } from "vitest";
import type { SessionService } from "../../../src/service/session-service.ts";
import type { ApiOptions } from "../../../src/web/api/api-parts.ts";
import { apiRoutes } from "../../../src/web/api/api-routes.ts";
import type { Route, StreamEvent, Visitor, WebAnswer, WebRequest } from "../../../src/web/server/route.ts";
import { temporaryDirectory } from "../watching.ts";

export const PERSON: Visitor = { caller: "web 1", right: "control", isPerson: true, session: null };

export interface TestApi {
  /** The value of an answer in JSON. */
  ask<T>(method: Route["method"], address: string, body?: unknown): Promise<T>;
  answer(method: Route["method"], address: string, given?: Partial<WebRequest>): Promise<WebAnswer>;
  /** Everything that was answered and streamed so far, as text. */
  readonly said: readonly string[];
  events(address: string, given?: Partial<WebRequest>): AsyncIterable<StreamEvent>;
}

export function openApi(sessions: SessionService, options: Partial<ApiOptions> = {}): TestApi {
  const recordings = join(temporaryDirectory(), "recordings");
  const routes = apiRoutes({ sessions, version: "1.0.0", machine: "desk", recordings, ...options });
  const said: string[] = [];
  const answer = async (method: Route["method"], address: string, given: Partial<WebRequest> = {}) => {
    const { pathname, searchParams: query } = new URL(address, "http://localhost");
    const { route, params } = find(routes, method, pathname);
    const none = { body: undefined, lastEventId: null, etag: null, signal: new AbortController().signal };
    const answered = await route.answer({ visitor: PERSON, params, query, ...none, ...given });
    if (answered.kind === "json") said.push(JSON.stringify(answered.value));
    if (answered.kind === "bytes") said.push(Buffer.from(answered.bytes).toString("latin1"));
    return answered;
  };
  return {
    said,
    answer,
    async ask<T>(method: Route["method"], address: string, body?: unknown) {
      const answered = await answer(method, address, { body });
      if (answered.kind !== "json") throw new Error(`${address} answered ${answered.kind}`);
      // As it goes over the wire.
      return JSON.parse(JSON.stringify(answered.value ?? null)) as T;
    },
    async *events(address, given) {
      const answered = await answer("GET", address, given);
      if (answered.kind !== "events") throw new Error(`${address} answered ${answered.kind}`);
      for await (const event of answered.events) {
        said.push(JSON.stringify(event));
        yield JSON.parse(JSON.stringify(event)) as StreamEvent;
      }
    },
  };
}

function find(routes: readonly Route[], method: Route["method"], pathname: string) {
  const parts = pathname.split("/").map(decodeURIComponent);
  for (const route of routes) {
    const names = route.path.split("/");
    const fits = names.length === parts.length && names.every((name, at) => name.startsWith(":") || name === parts[at]);
    if (route.method !== method || !fits) continue;
    const named = names.flatMap((name, at) =>
      name.startsWith(":") ? [[name.slice(1), parts[at] ?? ""] as const] : [],
    );
    return { route, params: Object.fromEntries(named) };
  }
  expect.unreachable(`There is no route ${method} ${pathname}`);
}
