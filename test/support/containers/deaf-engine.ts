/**
 * An engine that refuses the size of a terminal until a test allows it, like an engine that is slow to start a program.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { temporaryDirectory } from "../watching.ts";

const REFUSAL = "HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

/** The client's longest pause is a tenth of a second. */
const GIVEN_UP_MS = 1_000;

export interface DeafEngine {
  /** Whether it has refused a size, and the client has not tried again for far longer than it pauses. */
  hasGivenUp(): boolean;
  /** From now on, the engine accepts sizes. */
  allow(): void;
}

/** Until the end of the test, the tools find the engine behind a relay that answers such requests itself. */
export async function deafenDocker(): Promise<DeafEngine> {
  const engine = (process.env["DOCKER_HOST"] ?? "").replace("unix://", "");
  const path = join(temporaryDirectory(), "s");
  const sockets = new Set<Socket>();
  let refusedMs = Number.POSITIVE_INFINITY;
  let isAllowed = false;
  const server = createServer((client) => {
    const behind = connect(engine);
    for (const socket of [client, behind]) sockets.add(socket.on("error", () => undefined));
    // A request for a size has no body, so it arrives in one piece.
    client.on("data", (piece) => {
      if (isAllowed || !/^POST \S*\/resize/.test(piece.toString("latin1", 0, 200))) {
        behind.write(piece);
        return;
      }
      refusedMs = performance.now();
      client.write(REFUSAL);
    });
    client.on("end", () => behind.end());
    behind.pipe(client);
  });
  server.listen(path);
  await once(server, "listening");
  vi.stubEnv("DOCKER_HOST", `unix://${path}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    hasGivenUp: () => performance.now() - refusedMs > GIVEN_UP_MS,
    allow: () => {
      isAllowed = true;
    },
  };
}
