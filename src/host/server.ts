/** Listens for clients and serves them the sessions. Knows when it has become idle, and ends all of it in good order. */
import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { packageVersion } from "../base/version.ts";
import { peerUser } from "../pty/peer-user.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { HostStatus } from "./protocol.ts";
import { type HostDesk, ServedClient } from "./served-client.ts";
import type { StateDirectory } from "./state-directory.ts";

export interface HostServerOptions {
  readonly directory: StateDirectory;
  /** Each client has a view of its own. */
  readonly sessionsFor: (client: string) => Sessions;
  /** Whose program lives. */
  readonly countRunning: () => number;
  /** A client asked for the end. */
  readonly onStop: () => void;
  /** A client came or went. */
  readonly onClients: () => void;
}

export class HostServer {
  readonly #options: HostServerOptions;
  readonly #server: Server;
  readonly #clients = new Set<ServedClient>();
  #met = 0;
  readonly #startedAt = Date.now();

  constructor(options: HostServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Only who holds the lock may call this: what lies at the place of the socket is removed. */
  async listen(): Promise<void> {
    const { socketPath } = this.#options.directory;
    rmSync(socketPath, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(socketPath, resolve);
    });
    chmodSync(socketPath, 0o600);
    // What can still fail is the accepting of one client, who is told by the end of its connection.
    this.#server.on("error", () => undefined);
  }

  /** New clients are refused. Those that are there keep their connections. */
  stopListening(): void {
    this.#server.close();
    rmSync(this.#options.directory.socketPath, { force: true });
  }

  /** What was answered still arrives. */
  dismissClients(): void {
    for (const client of this.#clients) client.end();
  }

  #welcome(socket: Socket): void {
    if (!isOwnUser(socket)) {
      socket.destroy();
      return;
    }
    const { sessionsFor, onClients } = this.#options;
    this.#met += 1;
    const sessions = sessionsFor(String(this.#met));
    const onClosed = (client: ServedClient) => {
      this.#clients.delete(client);
      onClients();
    };
    this.#clients.add(new ServedClient({ socket, sessions, desk: this.#desk(), onClosed }));
    onClients();
  }

  #desk(): HostDesk {
    const { onStop } = this.#options;
    return { version: packageVersion(), status: () => this.#status(), stop: onStop };
  }

  #status(): HostStatus {
    const { directory, countRunning } = this.#options;
    return {
      pid: process.pid,
      version: packageVersion(),
      stateDirectory: directory.path,
      startedAt: this.#startedAt,
      sessions: countRunning(),
      clients: this.clients,
    };
  }
}

/** The modes of socket and directory keep others out; this holds even if somebody has loosened them since. */
function isOwnUser(socket: Socket): boolean {
  const { fd } = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle ?? {};
  const user = fd === undefined || fd < 0 ? undefined : peerUser(fd);
  return user === undefined || user === process.geteuid?.();
}
