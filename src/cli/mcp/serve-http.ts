/** `limpet mcp --http`: serves MCP on a port of this machine, and nothing else, until it is interrupted. */
import { mcpRoute } from "../../web/mcp/mcp-route.ts";
import { Attempts } from "../../web/server/sign-in/attempts.ts";
import { Grants } from "../../web/server/sign-in/grants.ts";
import { Visitors } from "../../web/server/sign-in/visitors.ts";
import { WebServer } from "../../web/server/web-server.ts";
import { TokenFile } from "../../web/tokens/token-file.ts";
import { print, printError } from "../print/print.ts";
import { requirePerson } from "../require-outside-session.ts";
import type { McpSettings } from "../settings/settings.ts";
import { type AgentFleet, openAgentServer } from "./open-agent-server.ts";
import { validCallers } from "./valid-callers.ts";

/** `port` 0: any that is free. */
export async function serveHttp(settings: McpSettings, port: number, fleet?: AgentFleet): Promise<void> {
  await requirePerson("limpet mcp --http");
  const { options, end } = await openAgentServer(settings, { fleet });
  const tokens = new TokenFile(settings.stateDirectory);
  const mcp = mcpRoute({ ...options, isValid: validCallers(tokens) });
  const grants = new Grants(Date.now);
  const server = new WebServer({
    routes: { routes: [], tokenRoutes: [mcp.route] },
    visitors: new Visitors(grants, tokens),
    // Nobody can sign in: there are no links and no password.
    signIn: { grants, attempts: new Attempts(Date.now), password: undefined },
    onProblem: (text) => printError(`limpet mcp: ${text}`),
    onUse: () => undefined,
  });
  try {
    const stopped = untilStopped();
    const { base } = await server.listen({ kind: "loopback", port, name: "127.0.0.1" });
    print(`${base}${mcp.route.path}`);
    printError(HOW_TO_CONNECT);
    await stopped;
  } finally {
    mcp.close();
    await server.close();
    await end();
  }
}

const HOW_TO_CONNECT = [
  "Give this address to an MCP client, with the header Authorization: Bearer TOKEN.",
  "Each client needs its own token: limpet token create NAME --scope control",
  "Press Ctrl+C to end.",
].join("\n");

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
