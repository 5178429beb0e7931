/** Listens for clients and serves them the sessions. Knows when it has become idle, and ends all of it in good order. */
import { chmodSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { packageVersion } from "../base/package-version.ts";
import { peerUser } from "../linux/peer-user.ts";
import type { SessionService } from "../service/session-service.ts";
import { CallerNames } from "./caller-names.ts";
import type { HostStatus } from "./protocol.ts";
import type { HostControl } from "./request-runner.ts";
import { ServedClient } from "./served-client.ts";
import type { StateDirectory } from "./state-directory.ts";

export interface HostServerOptions {
  readonly directory: StateDirectory;
  /** Each client has a view of its own. */
  readonly sessionsFor: (client: string) => SessionService;
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
  readonly #callers = new CallerNames();
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
    const hidden = `${socketPath}.new`;
    rmSync(hidden, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(hidden, resolve);
    });
    chmodSync(hidden, 0o600);
    // Whoever sees it can use it.
    renameSync(hidden, socketPath);
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
    const name = String(this.#met);
    const sessions = sessionsFor(name);
    const nameOf = (caller: string) => this.#callers.nameFor(name, caller);
    const onClosed = (client: ServedClient) => {
      this.#clients.delete(client);
      this.#callers.release(name);
      onClients();
    };
    this.#clients.add(new ServedClient({ socket, sessions, nameOf, desk: this.#desk(), onClosed }));
    onClients();
  }

  #desk(): HostControl {
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
