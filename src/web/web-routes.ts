/** Everything that the web server answers: the page, its API, and MCP. */
import { hostname } from "node:os";
import { join } from "node:path";
import { packageVersion } from "../base/package-version.ts";
import type { SessionService } from "../service/session-service.ts";
import type { RuleFile } from "../tools/guard/ask-through-client.ts";
import { apiRoutes } from "./api/api-routes.ts";
import { liveRoute } from "./live/live-route.ts";
import { pageRoutes } from "./page-routes.ts";
import type { Routes, TokenRoute } from "./server/route.ts";

export interface WebRoutesOptions {
  /** Here and at all places. */
  readonly sessions: SessionService;
  readonly stateDirectory: string;
  /** Where a permanent approval is stored as a rule. Default: such approvals are refused. */
  readonly ruleFile?: RuleFile | undefined;
  readonly tokenRoutes: readonly TokenRoute[];
}

export function webRoutes({ sessions, stateDirectory, ruleFile, tokenRoutes }: WebRoutesOptions): Routes {
  const about = { version: packageVersion(), machine: hostname(), recordings: join(stateDirectory, "recordings") };
  const api = apiRoutes({ sessions, ruleFile, ...about });
  return { routes: [...pageRoutes(), ...api], tokenRoutes, socketRoutes: [liveRoute(sessions)] };
}
