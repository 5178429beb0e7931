/** Hosts: in this process for the tools, or as processes of their own. */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HostClient, hostClient } from "../../src/host/client.ts";
import { HostServer } from "../../src/host/server.ts";
import { openStateDirectory } from "../../src/host/state-directory.ts";
import type { LocalSessions } from "../../src/sessions/local-sessions.ts";

const THROUGH_HOST = Symbol.for("limpet.test.throughHost");

export function isThroughHost(): boolean {
  return THROUGH_HOST in globalThis;
}

export interface Served {
  readonly sessions: HostClient;
  close(): void;
}

/** A host's server around sessions of this process, and a client of it. */
export function serveForTest(sessions: LocalSessions): Served {
  const directory = openStateDirectory(mkdtempSync(join(tmpdir(), "limpet-served-")));
  const sessionsFor = (name: string) => sessions.forClient(name);
  const nothing = () => undefined;
  const server = new HostServer({ directory, sessionsFor, countRunning: () => 0, onStop: nothing, onClients: nothing });
  const listening = server.listen();
  const client = hostClient(async () => {
    await listening;
    return await connectTo(directory.socketPath);
  });
  return {
    sessions: client,
    close() {
      client.disconnect();
      server.stopListening();
      directory.release();
      rmSync(directory.path, { recursive: true });
    },
  };
}

export function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.once("error", reject);
  });
}
