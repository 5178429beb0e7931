/** Everything that the web server answers: the page, its API, and MCP. */
import { hostname } from "node:os";
import { packageVersion } from "../base/package-version.ts";
import type { SessionService } from "../service/session-service.ts";
import type { Me } from "./api/messages.ts";
import type { Route, Routes } from "./server/route.ts";

export interface WebRoutesOptions {
  /** Here and at all places. */
  readonly sessions: SessionService;
  readonly stateDirectory: string;
}

export function webRoutes(_options: WebRoutesOptions): Routes {
  return { routes: [page, me], tokenRoutes: [], socketRoutes: [] };
}

const page: Route = {
  method: "GET",
  path: "/",
  right: null,
  answer: async () => ({
    kind: "bytes",
    type: "text/html; charset=utf-8",
    bytes: "<!doctype html><title>limpet</title><p>limpet\n",
  }),
};

const me: Route = {
  method: "GET",
  path: "/api/me",
  right: "view",
  isForShared: true,
  answer: async ({ visitor }) => {
    const value: Me = {
      right: visitor.right,
      session: visitor.session,
      machine: hostname(),
      version: packageVersion(),
    };
    return { kind: "json", value };
  },
};
