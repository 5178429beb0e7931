/** MCP as a route of the web server. */
import type { TokenRoute } from "../server/route.ts";
import { McpEndpoint } from "./mcp-endpoint.ts";
import type { ServeOptions } from "./serve-options.ts";

/** The address that clients are configured with. */
const MCP_PATH = "/mcp";

export interface McpRoute {
  readonly route: TokenRoute;
  close(): void;
}

/** A token that may only view can read, and cannot call tools that change something. */
export function mcpRoute(options: ServeOptions): McpRoute {
  const endpoint = new McpEndpoint(options);
  return {
    route: {
      path: MCP_PATH,
      right: "view",
      serve: (request, response, visitor) => endpoint.serve(request, response, visitor),
    },
    close: () => endpoint.close(),
  };
}
