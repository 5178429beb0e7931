/** The connection of a client to its host: made at the first call, and again when it broke. */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BoundedMap } from "../../base/bounded-map.ts";
import { lazy } from "../../base/lazy.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { untilAborted } from "../../base/until-aborted.ts";
import type { Undelivered } from "../../service/session-service.ts";
import type { TurnAnswer, TurnRequest } from "../../service/turn/turn.ts";
import type { Hello } from "../protocol.ts";
import { HostConnection } from "./host-connection.ts";

const MAX_TRIES = 5;
const RETRY_AFTER_MS = 20;
/** Far more than are on their way at once. */
const MAX_GIVEN_BACK = 256;

/** Undefined if no host runs and none may be started. */
export type Connect = (options: { readonly mayStart: boolean }) => Promise<Socket | undefined>;

/** Who the client is to the host. */
export type ClientIdentity = Pick<Hello, "scope" | "starter">;

/** A host that is ending may still accept a connection. Only for requests that are safe to repeat. */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isGone(error) || tries === MAX_TRIES) throw error;
      await sleep(tries * RETRY_AFTER_MS);
    }
  }
}

export class HostLink {
  readonly #connect: Connect;
  /** The same for all connections of this client, so that the host recognises it. */
  readonly #client = crypto.randomUUID();
  readonly #identity: () => ClientIdentity;
  #connection: Promise<HostConnection | undefined> | undefined;
  #current: HostConnection | undefined;
  /** By request id. It is unknown whether the host received them, so the next connection sends all of them first. */
  readonly #givenBack = new BoundedMap<string, object>(MAX_GIVEN_BACK);

  /** `identity` is called at the first connection. */
  constructor(connect: Connect, identity: () => ClientIdentity) {
    this.#connect = connect;
    this.#identity = lazy(identity);
  }

  /** Starts a host if none runs. */
  async call(method: string, params: object): Promise<unknown> {
    return await (await this.#open({ mayStart: true }))?.call(method, params);
  }

  /** For requests that change nothing, and are safe to repeat while a host ends. Undefined if none runs. */
  async ask(method: string, params: object): Promise<unknown> {
    return await retried(async () => await (await this.#open({ mayStart: false }))?.call(method, params));
  }

  /** For requests that are safe to repeat. Starts a host if none runs. The signal ends the wait for the answer. */
  async repeat(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const asking = retried(async () => (await this.#open({ mayStart: true }))?.call(method, params, signal));
    return await untilAborted(asking, signal);
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
      const connection = socket && (await HostConnection.open(socket, { client: this.#client, ...this.#identity() }));
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
