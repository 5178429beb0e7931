/** All routes of the API that pages use. */
import type { Route } from "../server/route.ts";
import type { ApiOptions, ApiParts } from "./api-parts.ts";
import { SessionWatch } from "./cards/session-watch.ts";
import { Pictures } from "./pictures.ts";
import { approvalRoutes } from "./routes/approval-routes.ts";
import { controlRoutes } from "./routes/control-routes.ts";
import { promptRoutes } from "./routes/prompt-routes.ts";
import { readRoutes } from "./routes/read-routes.ts";
import { recordingRoutes } from "./routes/recording-routes.ts";
import { streamRoutes } from "./routes/stream-routes.ts";
import { Viewers } from "./viewers.ts";

export function apiRoutes(options: ApiOptions): readonly Route[] {
  const { sessions } = options;
  const parts: ApiParts = {
    ...options,
    watch: new SessionWatch(sessions),
    pictures: new Pictures(sessions),
    viewers: new Viewers(sessions),
  };
  return [streamRoutes, readRoutes, controlRoutes, recordingRoutes, approvalRoutes, promptRoutes].flatMap((make) =>
    make(parts),
  );
}
