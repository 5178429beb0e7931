/**
 * The HTTP endpoint of limpet for the conformance tests: from the sources, without tokens, because the tests cannot send
 * one, and with the tools that they call. Only for clients of this machine. Prints its address, and ends with its
 * standard input.
 */
import { createServer } from "node:http";
import { LocalService } from "../../src/service/local-service.ts";
import { SessionRegistry } from "../../src/session/registry/session-registry.ts";
import { McpEndpoint } from "../../src/web/mcp/mcp-endpoint.ts";
import { loopbackNames } from "../../src/web/server/own-names.ts";
import { checkSource } from "../../src/web/server/request/check-source.ts";
import { sourceOf } from "../../src/web/server/request/read-source.ts";
import { prepare } from "./prepare.mjs";

const registry = new SessionRegistry();
const endpoint = new McpEndpoint({ sessions: new LocalService(registry), prepare });
const visitor = { caller: "conformance", right: "control" };
const http = createServer((request, response) => {
  // The same check as with tokens.
  const source = { ...sourceOf(request, "/mcp"), hasToken: true };
  if (checkSource(source, loopbackNames("localhost", http.address().port))) response.writeHead(403).end();
  else endpoint.serve(request, response, visitor).catch((error) => response.destroy(error));
});
http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));

process.stdin.resume().on("end", async () => {
  endpoint.close();
  http.closeAllConnections();
  http.close();
  await registry.closeAll();
});
