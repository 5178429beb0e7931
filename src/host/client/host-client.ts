/**
 * Sessions that live in a host. Connects at the first call, and reconnects at the next call after a lost connection.
 *
 * A program inherits environment, directory and shell from this process, not from the host. If the connection breaks
 * during a turn, the client repeats the request with the same id. The same host acts once and returns the same answer.
 */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BoundedMap } from "../../base/bounded-map.ts";
import type { Page } from "../../base/cursor.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { untilAborted } from "../../base/until-aborted.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import type { RecordingState } from "../../record/record-session.ts";
import type {
  ClosedSession,
  ResizedSession,
  SessionIdentity,
  SessionName,
  SessionService,
  SessionSummary,
  Undelivered,
} from "../../service/session-service.ts";
import type { StartRequest, TurnAnswer, TurnRequest, TurnTarget } from "../../service/turn.ts";
import { defaultShell, passedOnEnv } from "../../transport/child-env.ts";
import type { HostStatus } from "../protocol.ts";
import { HostConnection } from "./host-connection.ts";

const MAX_TRIES = 5;
const RETRY_AFTER_MS = 20;
/** Far more than are on their way at once. */
const MAX_GIVEN_BACK = 256;

/** The service of a host, and the host itself. */
export interface HostClient extends SessionService {
  /** Undefined if no host runs; never starts one. */
  hostStatus(): Promise<HostStatus | undefined>;
  /** Ends the host and all its sessions. Resolves when it has ended; false if none was running. */
  stopHost(): Promise<boolean>;
  /** Closes the connection; the sessions continue. The next call connects again. */
  disconnect(): void;
}

/** Undefined if no host runs and none may be started. */
export type Connect = (options: { readonly mayStart: boolean }) => Promise<Socket | undefined>;

/** `stateDirectory` of the host is passed to its sessions, for `limpet` commands inside them. */
export function hostClient(connect: Connect, stateDirectory?: string): HostClient {
  const link = new Link(connect);
  return {
    turn: async ({ signal, ...request }) =>
      await link.turn({ ...request, on: inheriting(request.on, stateDirectory) }, signal),
    acknowledge: (delivered) => link.notify("acknowledge", delivered),
    giveBack: (undelivered) => link.giveBack(undelivered),
    write: async (key, input, options = {}) => void (await link.call("write", { key, input, ...options })),
    output: (key, { signal, ...options }) => link.stream("output", { key, ...options }, signal) as AsyncIterable<Page>,
    find: async (key) => (await link.call("find", { key })) as SessionIdentity,
    running: async () => ((await link.ask("running", {})) ?? []) as readonly SessionName[],
    list: async (options) => (await link.call("list", options)) as readonly SessionSummary[],
    hold: async (key, hold) => void (await link.call("hold", { key, ...hold })),
    release: async (key) => (await link.call("release", { key })) as boolean,
    resize: async (key, size) => (await link.call("resize", { key, size })) as ResizedSession,
    record: async (key, options) => (await link.call("record", { key, ...options })) as RecordingState,
    stopRecording: async (key, options) =>
      (await link.call("stopRecording", { key, ...options })) as readonly RecordingState[],
    close: async (key, options) => (await link.call("close", { key, ...options })) as ClosedSession,
    hostStatus: async () => await askBare(connect, (host) => host.call("status", {}) as Promise<HostStatus>),
    stopHost: async () => (await askBare(connect, stop)) ?? false,
    disconnect: () => link.close(),
  };
}

/** The program inherits what it would inherit if this process started it. */
function inheriting(on: TurnTarget, stateDirectory: string | undefined): TurnTarget {
  if (on.kind === "start") return { ...on, start: inherited(on.start, stateDirectory) };
  if (on.kind === "run") return { ...on, run: { ...on.run, fresh: inherited(on.run.fresh ?? {}, stateDirectory) } };
  return on;
}

type Inherited = Pick<StartRequest, "cwd" | "env" | "shell">;

function inherited<T extends Inherited>({ cwd, shell, env, ...request }: T, stateDirectory: string | undefined) {
  return {
    ...request,
    cwd: cwd ?? workingDirectory(),
    shell: shell ?? defaultShell(),
    env: { ...passedOnEnv(stateDirectory), ...env },
  };
}

/** A host that is ending may still accept a connection. Only for requests that are safe to repeat. */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isGone(error) || tries === MAX_TRIES) throw error;
      await sleep(tries * RETRY_AFTER_MS);
    }
  }
}

/** Uses a separate connection without hello, which works with every version. Undefined if no host runs. */
async function askBare<T>(connect: Connect, question: (host: HostConnection) => Promise<T>): Promise<T | undefined> {
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
  await host.call("stop", {});
  await host.untilClosed();
  return true;
}

class Link {
  readonly #connect: Connect;
  /** The same for all connections of this client, so that the host recognises it. */
  readonly #client = crypto.randomUUID();
  #connection: Promise<HostConnection | undefined> | undefined;
  #current: HostConnection | undefined;
  /** By request id. It is unknown whether the host received them, so the next connection sends all of them first. */
  readonly #givenBack = new BoundedMap<string, object>(MAX_GIVEN_BACK);

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  /** Starts a host if none runs. */
  async call(method: string, params: object): Promise<unknown> {
    return await (await this.#open({ mayStart: true }))?.call(method, params);
  }

  /** For requests that change nothing, and are safe to repeat while a host ends. Undefined if none runs. */
  async ask(method: string, params: object): Promise<unknown> {
    return await retried(async () => await (await this.#open({ mayStart: false }))?.call(method, params));
  }

  async turn(request: Omit<TurnRequest, "signal">, signal: AbortSignal | undefined): Promise<TurnAnswer> {
    signal?.throwIfAborted();
    const { caller, requestId = crypto.randomUUID() } = request;
    // The host may have answered all the same. At once: before a call that follows the abort.
    const giveBack = () => this.giveBack({ caller, requestId });
    signal?.addEventListener("abort", giveBack, { once: true });
    try {
      const answer = await untilAborted(this.#untilAnswered({ ...request, requestId }, signal), signal);
      signal?.throwIfAborted();
      return answer as TurnAnswer;
    } catch (error) {
      if (isGone(error)) giveBack();
      throw error;
    } finally {
      signal?.removeEventListener("abort", giveBack);
    }
  }

  /** Never waited for, and never lost with a connection. */
  giveBack(undelivered: Undelivered): void {
    const requestId = "receipt" in undelivered ? undelivered.receipt.requestId : undelivered.requestId;
    if (requestId === null) return;
    const request = { caller: undelivered.caller, requestId };
    this.#givenBack.set(requestId, request);
    // Without a connection the next one begins with it.
    this.#current?.notify("giveBack", request);
  }

  /**
   * Sends the request again when the connection breaks, but only to the host that has it: another one would act again.
   */
  async #untilAnswered(params: object, signal: AbortSignal | undefined): Promise<unknown> {
    const first = await this.#open({ mayStart: true });
    for (let connection = first, tries = 1; ; tries += 1) {
      if (!connection || connection.instance !== first?.instance) throw unknownOutcome();
      try {
        return await connection.call("turn", params, signal);
      } catch (error) {
        if (signal?.aborted || !connection.isClosed || !isGone(error)) throw error;
        if (tries === MAX_TRIES) throw unknownOutcome(error);
      }
      await sleep(tries * RETRY_AFTER_MS);
      connection = await this.#open({ mayStart: false }).catch((error: unknown) => {
        throw unknownOutcome(error);
      });
    }
  }

  notify(method: string, params: object): void {
    if (this.#current && !this.#current.isClosed) this.#current.notify(method, params);
    else
      void this.#open({ mayStart: false }).then(
        (connection) => connection?.notify(method, params),
        () => undefined,
      );
  }

  async *stream(
    method: string,
    params: object,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<unknown, void, undefined> {
    const connection = await this.#open({ mayStart: true });
    if (connection) yield* connection.stream(method, params, signal);
  }

  close(): void {
    void this.#connection?.then((connection) => connection?.close()).catch(() => undefined);
    this.#connection = undefined;
    this.#current = undefined;
  }

  /** The open connection, or a new one. Concurrent callers share it. */
  async #open(options: { readonly mayStart: boolean }): Promise<HostConnection | undefined> {
    if (this.#current && !this.#current.isClosed) return this.#current;
    for (;;) {
      const latest = this.#connection;
      const current = await latest?.catch(() => undefined);
      if (current && !current.isClosed) return current;
      if (this.#connection === latest) break;
    }
    const opening = retried(async () => {
      const socket = await this.#connect(options);
      const connection = socket && (await HostConnection.open(socket, this.#client));
      for (const request of this.#givenBack.values()) connection?.notify("giveBack", request);
      return connection;
    });
    this.#connection = opening;
    const connection = await opening;
    if (this.#connection === opening) this.#current = connection;
    return connection;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof LimpetError && error.code === "HOST_GONE";
}

function unknownOutcome(cause?: unknown): LimpetError {
  return new LimpetError(
    "HOST_GONE",
    "The host ended during the call, and its outcome is unknown. Check the sessions before you repeat the call.",
    { cause },
  );
}
