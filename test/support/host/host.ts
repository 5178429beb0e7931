/** Hosts: in this process for the tools, or as processes of their own. */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import { type HostClient, hostClient } from "../../../src/host/client/host-client.ts";
import { HostServer } from "../../../src/host/server/host-server.ts";
import { openStateDirectory } from "../../../src/host/state/state-directory.ts";
import type { LocalService } from "../../../src/service/local-service.ts";
import type { Scope } from "../../../src/session/registry/resolve-session.ts";
import { sweepShellFiles } from "../../../src/shell/frame/sweep-shell-files.ts";
import { MAIN } from "../mcp.ts";
import { pidsWith } from "../processes.ts";
import { type OnEnd, temporaryDirectory } from "../watching.ts";
import { endHostsBelow } from "./end-hosts.ts";

const THROUGH_HOST = Symbol.for("limpet.test.throughHost");

export function isThroughHost(): boolean {
  return THROUGH_HOST in globalThis;
}

export interface Served {
  readonly sessions: HostClient;
  close(): void;
}

/** A host's server around sessions of this process, and a client of it. */
export function serveForTest(sessions: LocalService): Served {
  const directory = openStateDirectory(mkdtempSync(join(tmpdir(), "limpet-served-")));
  const sessionsFor = (name: string, scope: Scope) => sessions.forClient(name, scope);
  const nothing = () => undefined;
  const server = new HostServer({
    directory,
    sessionsFor,
    countRunning: () => 0,
    membersOfSessions: async () => new Set<number>(),
    onStop: nothing,
    onClients: nothing,
  });
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

function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** A place for a host of its own. At the end, its hosts are gone, and what the next one would have deleted. */
export function hostDirectory(onEnd: OnEnd = onTestFinished): string {
  const folder = temporaryDirectory(onEnd);
  onEnd(async () => {
    await endHostsBelow(folder);
    await sweepShellFiles();
  });
  return join(folder, "state");
}

/** The sessions of a host in a process of its own, which is started when it is needed. */
export function hostAt(stateDirectory: string, nodeFlags: readonly string[] = []): HostClient {
  const client = connectHost({ stateDirectory, command: [process.execPath, ...nodeFlags, MAIN] });
  onTestFinished(() => client.disconnect());
  return client;
}

/** Its host, which must be running. */
export async function pidOf(client: HostClient): Promise<number> {
  const status = await client.hostStatus();
  if (!status) throw new Error("No host is running");
  return status.pid;
}

export function hostPids(stateDirectory: string): number[] {
  const hosts = new Set(pidsWith("\0host\0run\0"));
  return pidsWith(`--state\0${stateDirectory}\0`).filter((pid) => hosts.has(pid));
}

export function isGone(pid: number): boolean {
  return !pidsWith("").includes(pid);
}
