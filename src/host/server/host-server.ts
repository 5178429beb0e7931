/** Listens for clients and serves them the sessions. Knows when it has become idle, and ends all of it in good order. */
import { randomUUID } from "node:crypto";
import { chmodSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { packageVersion } from "../../base/package-version.ts";
import { peerUser } from "../../linux/peer-user.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { HostStatus } from "../protocol.ts";
import type { StateDirectory } from "../state/state-directory.ts";
import { CallerNames } from "./caller-names.ts";
import type { HostControl } from "./request-runner.ts";
import { ServedClient, type ServedView } from "./served-client.ts";

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
  /** Those that said who they are: the connection of each, and the other way round. */
  readonly #byId = new Map<string, ServedClient>();
  readonly #ids = new Map<ServedClient, string>();
  readonly #callers = new CallerNames();
  readonly #instance = randomUUID();
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
    const client: ServedClient = new ServedClient({
      socket,
      control: this.#control(),
      viewFor: (served, id) => this.#viewFor(served, id),
      onClosed: (served) => this.#forget(served),
    });
    this.#clients.add(client);
    this.#options.onClients();
  }

  /** A client that connects again takes the place of its former connection, which may not know yet that it is broken. */
  #viewFor(client: ServedClient, given: string | undefined): ServedView {
    this.#met += 1;
    const id = given ?? `connection ${this.#met}`;
    const former = this.#byId.get(id);
    this.#byId.set(id, client);
    this.#ids.set(client, id);
    former?.destroy();
    return {
      sessions: this.#options.sessionsFor(id),
      nameOf: (caller) => this.#callers.nameFor(id, caller),
    };
  }

  #forget(client: ServedClient): void {
    this.#clients.delete(client);
    const id = this.#ids.get(client);
    this.#ids.delete(client);
    if (id !== undefined && this.#byId.get(id) === client) {
      this.#byId.delete(id);
      this.#callers.release(id);
    }
    this.#options.onClients();
  }

  #control(): HostControl {
    const { onStop } = this.#options;
    return { version: packageVersion(), instance: this.#instance, status: () => this.#status(), stop: onStop };
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
