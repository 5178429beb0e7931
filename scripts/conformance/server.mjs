/**
 * The HTTP endpoint of limpet for the conformance tests: from the sources, without tokens, because the tests cannot send
 * one, and with the tools that they call. Only for clients of this machine. Prints its address, and ends with its
 * standard input.
 */
import { createServer } from "node:http";
import { LocalService } from "../../src/service/local-service.ts";
import { SessionRegistry } from "../../src/session/registry/session-registry.ts";
import { McpEndpoint } from "../../src/web/mcp/mcp-endpoint.ts";
import { prepare } from "./prepare.mjs";

const registry = new SessionRegistry();
const endpoint = new McpEndpoint({ sessions: new LocalService(registry), prepare });
const visitor = { caller: "conformance", right: "control" };
const http = createServer((request, response) => {
  const { port } = http.address();
  const isOurs = [`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? "");
  const { origin } = request.headers;
  if (!isOurs || (origin !== undefined && origin !== `http://${request.headers.host}`)) {
    response.writeHead(403).end();
    return;
  }
  endpoint.serve(request, response, visitor).catch((error) => response.destroy(error));
});
http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));

process.stdin.resume().on("end", async () => {
  endpoint.close();
  http.closeAllConnections();
  http.close();
  await registry.closeAll();
});
