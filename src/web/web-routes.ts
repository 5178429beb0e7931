/** Everything that the web server answers: the page, its API, and MCP. */
import { hostname } from "node:os";
import { join } from "node:path";
import { packageVersion } from "../base/package-version.ts";
import type { SessionService } from "../service/session-service.ts";
import { apiRoutes } from "./api/api-routes.ts";
import { pageRoutes } from "./assets.ts";
import type { Routes } from "./server/route.ts";

export interface WebRoutesOptions {
  /** Here and at all places. */
  readonly sessions: SessionService;
  readonly stateDirectory: string;
}

export function webRoutes({ sessions, stateDirectory }: WebRoutesOptions): Routes {
  const about = { machine: hostname(), version: packageVersion(), recordings: join(stateDirectory, "recordings") };
  return { routes: [...pageRoutes(), ...apiRoutes({ sessions, ...about })], tokenRoutes: [], socketRoutes: [] };
}
