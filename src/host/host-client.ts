/**
 * Sessions that live in a host. Connects at the first call, and again at the next one when the host is gone.
 *
 * Every call is passed on by its name: what can be asked is in the table of `protocol.ts`. What a program inherits is
 * this process' to say, not the host's: its environment, its directory, its shell. Only where its host is, is told by that:
 * this process may have been given another by a flag than by its environment.
 */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { LimpetError } from "../base/limpet-error.ts";
import { workingDirectory } from "../base/working-directory.ts";
import type { SessionService, StartRequest } from "../service/session-service.ts";
import { defaultShell, passedOnEnv } from "../transport/child-env.ts";
import { HostConnection } from "./host-connection.ts";
import { type HostStatus, METHODS } from "./protocol.ts";

const MAX_TRIES = 5;
const RETRY_AFTER_MS = 20;

/** The sessions of a host, as plain requests and answers, and the host itself. */
export interface HostClient extends SessionService {
  /** Undefined where no host runs; never starts one. */
  hostStatus(): Promise<HostStatus | undefined>;
  /** Ends the host and all its sessions. Resolves when it is gone; false where none was running. */
  stopHost(): Promise<boolean>;
  /** The sessions go on. The next call would connect again. */
  disconnect(): void;
}

/** Undefined where no host runs and none may be started. */
export type Connect = (options: { readonly mayStart: boolean }) => Promise<Socket | undefined>;

/** `stateDirectory` is that of the host, for `limpet` inside its sessions. */
export function hostClient(connect: Connect, stateDirectory?: string): HostClient {
  const link = new Link(connect);
  const fromHere = <T extends Inherited>(request: T) => inherited(request, stateDirectory);
  const methods = Object.entries(METHODS).map(([name, { kind, withoutHost }]) => {
    const pass =
      kind === "stream"
        ? (...args: readonly unknown[]) => link.stream(name, args)
        : (...args: readonly unknown[]) => link.call(name, args, withoutHost);
    return [name, pass] as const;
  });
  const sessions = Object.fromEntries(methods) as unknown as SessionService;
  return {
    ...sessions,
    start: async (request) => await sessions.start(fromHere(request)),
    run: async ({ fresh = {}, ...request }) => await sessions.run({ ...request, fresh: fromHere(fresh) }),
    hostStatus: async () => await ask(connect, (host) => host.call("status", []) as Promise<HostStatus>),
    stopHost: async () => (await ask(connect, stop)) ?? false,
    disconnect: () => link.close(),
  };
}

type Inherited = Pick<StartRequest, "cwd" | "env" | "shell">;

/** What the program gets is what it would get if this process started it. */
function inherited<T extends Inherited>({ cwd, shell, env, ...request }: T, stateDirectory: string | undefined) {
  return {
    ...request,
    cwd: cwd ?? workingDirectory(),
    shell: shell ?? defaultShell(),
    env: { ...passedOnEnv(stateDirectory), ...env },
  };
}

/** A host that is just ending may still have taken our connection. Only for what can be asked again without harm. */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isGone = error instanceof LimpetError && error.code === "HOST_GONE";
      if (!isGone || tries === MAX_TRIES) throw error;
      await sleep(tries * RETRY_AFTER_MS);
    }
  }
}

/** Over a connection of its own, which needs no common language. Undefined where no host runs. */
async function ask<T>(connect: Connect, question: (host: HostConnection) => Promise<T>): Promise<T | undefined> {
  return await retried(async () => {
    const socket = await connect({ mayStart: false });
    if (!socket) return undefined;
    const host = HostConnection.bare(socket);
    try {
      return await question(host);
    } finally {
      host.close();
    }
  });
}

async function stop(host: HostConnection): Promise<boolean> {
  await host.call("stop", []);
  await host.untilClosed();
  return true;
}

class Link {
  readonly #connect: Connect;
  #connection: Promise<HostConnection | undefined> | undefined;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  async call(name: string, args: readonly unknown[], withoutHost: unknown): Promise<unknown> {
    if (withoutHost === undefined) return await (await this.open({ mayStart: true }))?.call(name, args);
    // A question that changes nothing has an answer with a host and without, also while one ends.
    return await retried(async () => {
      const connection = await this.open({ mayStart: false });
      return connection ? await connection.call(name, args) : withoutHost;
    });
  }

  async *stream(name: string, args: readonly unknown[]): AsyncGenerator<unknown, void, undefined> {
    const connection = await this.open({ mayStart: true });
    if (connection) yield* connection.stream(name, args);
  }

  /** The one that there is, or a new one. Callers at the same time share it. */
  async open(options: { readonly mayStart: boolean }): Promise<HostConnection | undefined> {
    for (;;) {
      const latest = this.#connection;
      const current = await latest?.catch(() => undefined);
      if (current && !current.isClosed) return current;
      if (this.#connection === latest) break;
    }
    const opening = retried(async () => {
      const socket = await this.#connect(options);
      return socket && (await HostConnection.open(socket));
    });
    this.#connection = opening;
    return await opening;
  }

  close(): void {
    void this.#connection?.then((connection) => connection?.close()).catch(() => undefined);
    this.#connection = undefined;
  }
}
