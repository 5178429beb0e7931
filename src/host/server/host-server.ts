/** Listens for clients and serves them the sessions. */
import { randomUUID } from "node:crypto";
import { chmodSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Semaphore } from "../../base/async/semaphore.ts";
import { MAX_ALL_HOST_READINGS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { packageVersion } from "../../base/package-version.ts";
import type { AuditHealth } from "../../safety/audit/audit-log.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { Scope } from "../../session/registry/resolve-session.ts";
import type { FileAccess } from "../files/file-access.ts";
import type { AcceptOptions } from "../further-listener.ts";
import { type HostStatus, PROTOCOL } from "../protocol.ts";
import { isStarterAlive } from "../starter.ts";
import type { StateDirectory } from "../state/state-directory.ts";
import { CallerNames, type NamedClient } from "./caller-names.ts";
import { isOwnUser } from "./is-own-user.ts";
import type { ReadHello } from "./read-hello.ts";
import type { HostControl } from "./request-runner.ts";
import { REQUESTS } from "./requests.ts";
import { requirePerson } from "./require-person.ts";
import { ServedClient, type ServedView } from "./served-client.ts";

export interface HostServerOptions {
  readonly directory: StateDirectory;
  /** The sessions, for one client, as far as its view lets it use them. */
  readonly sessionsFor: (client: string, scope: Scope, view: AcceptOptions["view"]) => SessionService;
  /** The directory that those of clients on other machines are relative to. Default: the user's home directory. */
  readonly home?: string | undefined;
  /** The files that clients copy. Default: those of this machine. */
  readonly files?: FileAccess | undefined;
  /** The number of sessions whose program runs. */
  readonly countRunning: () => number;
  /** The processes of all sessions. */
  readonly membersOfSessions: () => Promise<ReadonlySet<number>>;
  /** Whether acts are recorded; null if the audit is off. */
  readonly auditHealth?: () => AuditHealth | null;
  /** Called when a client asks the host to stop. */
  readonly onStop: () => void;
  /** Called when a client that has said hello has gone. */
  readonly onGone?: (client: string) => void;
  /** Called with every request of a client. */
  readonly onRequest?: () => void;
  /** Called when a client connects or disconnects. */
  readonly onClients: () => void;
}

interface ServeOptions extends AcceptOptions, Pick<ServedView, "requirePerson"> {
  readonly refuse?: (method: string) => void;
}

export class HostServer {
  readonly #options: HostServerOptions;
  readonly #server: Server;
  readonly #clients = new Set<ServedClient>();
  /** Clients that have said hello: connection by id, and identity by connection. */
  readonly #byId = new Map<string, ServedClient>();
  readonly #identities = new Map<ServedClient, NamedClient>();
  readonly #callers = new CallerNames(isStarterAlive);
  readonly #instance = randomUUID();
  readonly #readings = new Semaphore(MAX_ALL_HOST_READINGS);
  #helloCount = 0;
  readonly #startedAt = Date.now();

  constructor(options: HostServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Different for each start of a host. */
  get instance(): string {
    return this.#instance;
  }

  /** Removes an existing socket, so only the owner of the lock may call this. */
  async listen(): Promise<void> {
    const { socketPath } = this.#options.directory;
    const hidden = `${socketPath}.new`;
    rmSync(hidden, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(hidden, resolve);
    });
    chmodSync(hidden, 0o600);
    // Renamed when it is ready, so that a visible socket always accepts connections.
    renameSync(hidden, socketPath);
    // Later errors affect only one client, whose connection then ends.
    this.#server.on("error", () => undefined);
  }

  /** Refuses new clients. Connected clients stay connected. */
  stopListening(): void {
    this.#server.close();
    rmSync(this.#options.directory.socketPath, { force: true });
  }

  /** Answers that were sent still arrive. */
  disconnectClients(): void {
    for (const client of this.#clients) client.end();
  }

  #accept(socket: Socket): void {
    if (!isOwnUser(socket)) {
      socket.destroy();
      return;
    }
    this.#serve(socket, {
      view: (sessions) => sessions,
      requirePerson: () => requirePerson(socket, this.#options.membersOfSessions),
    });
  }

  /** Serves a client that a listener vouches for. It may use sessions, but not files of the machine. */
  accept(stream: Duplex, options: AcceptOptions): void {
    this.#serve(stream, { ...options, requirePerson: async () => undefined, refuse: requireOfSessions });
  }

  #serve(stream: Duplex, { view, requirePerson, refuse }: ServeOptions): void {
    const client: ServedClient = new ServedClient({
      stream,
      control: this.#control(),
      viewFor: (served, hello) => ({ ...this.#viewFor(served, hello, view), requirePerson }),
      onClosed: (served) => this.#forget(served),
      allReadings: this.#readings,
      clients: this.#clients,
      onRequest: () => this.#options.onRequest?.(),
      refuse,
    });
    this.#clients.add(client);
    this.#options.onClients();
  }

  /** A client that reconnects replaces its previous connection, which may be broken without notice. */
  #viewFor(client: ServedClient, hello: ReadHello, view: AcceptOptions["view"]): Omit<ServedView, "requirePerson"> {
    this.#helloCount += 1;
    const { client: id = `connection ${this.#helloCount}`, scope, starter } = hello;
    const former = this.#byId.get(id);
    const identity = { id, project: scope.project, starter };
    this.#byId.set(id, client);
    this.#identities.set(client, identity);
    former?.destroy();
    return {
      sessions: this.#options.sessionsFor(id, scope, view),
      nameOf: (caller) => this.#callers.nameFor(identity, caller),
      home: this.#options.home,
      files: this.#options.files,
    };
  }

  #forget(client: ServedClient): void {
    this.#clients.delete(client);
    const identity = this.#identities.get(client);
    this.#identities.delete(client);
    if (identity && this.#byId.get(identity.id) === client) {
      this.#byId.delete(identity.id);
      this.#callers.release(identity);
      this.#options.onGone?.(identity.id);
    }
    this.#options.onClients();
  }

  #control(): HostControl {
    const { onStop } = this.#options;
    return { version: packageVersion(), instance: this.#instance, status: () => this.#status(), stop: onStop };
  }

  #status(): HostStatus {
    const { directory, countRunning, auditHealth } = this.#options;
    return {
      pid: process.pid,
      version: packageVersion(),
      protocol: PROTOCOL,
      node: process.version,
      stateDirectory: directory.path,
      startedAt: this.#startedAt,
      sessions: countRunning(),
      clients: this.clients,
      audit: auditHealth?.() ?? null,
    };
  }
}

/**
 * Refuses requests about the machine of a host, such as copying files of its user, from clients of a listener. They may
 * only use its sessions, because no sandbox applies to copying a file.
 */
function requireOfSessions(method: string): void {
  if (Object.hasOwn(REQUESTS, method) || method === "status") return;
  const what = `The request ${JSON.stringify(method)} works only on the machine of the host.`;
  throw new LimpetError("NOT_ALLOWED", `${what} Use limpet there.`);
}
