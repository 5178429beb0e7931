/** The connection of a client to its host: made at the first call, and again when it broke. */
import { setTimeout as sleep } from "node:timers/promises";
import { lazy } from "../../base/async/lazy.ts";
import { untilAborted } from "../../base/async/until-aborted.ts";
import { BoundedMap } from "../../base/bounded-map.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Undelivered } from "../../service/turn/receipt.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import type { Hello } from "../protocol.ts";
import { HostConnection } from "./host-connection.ts";
import type { HostStream } from "./host-stream.ts";
import { type LinkRules, LOCAL_LINK } from "./link-rules.ts";

/** Far more than are on their way at once. */
const MAX_GIVEN_BACK = 256;

/** A connection that ends before hello is made again soon, or reported. */
const MAX_HELLO_PAUSES = 4;

/** Undefined if no host runs and none may be started. */
export type Connect = (options: { readonly mayStart: boolean }) => Promise<HostStream | undefined>;

/** Who the client is to the host. */
export type ClientIdentity = Pick<Hello, "scope" | "starter">;

/** A host that is ending may still accept a connection. Only for requests that are safe to repeat. */
export async function retried<T>({ pausesMs }: Pick<LinkRules, "pausesMs">, attempt: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!isGone(error)) throw error;
      await sleep(pauseMs);
    }
  }
  return await attempt();
}

export class HostLink {
  readonly #connect: Connect;
  /** The same for all connections of this client, so that the host recognises it. */
  readonly #client = crypto.randomUUID();
  readonly #identity: () => ClientIdentity;
  readonly #rules: LinkRules;
  #connection: Promise<HostConnection | undefined> | undefined;
  #current: HostConnection | undefined;
  /** By request id. It is unknown whether the host received them, so the next connection sends all of them first. */
  readonly #givenBack = new BoundedMap<string, object>(MAX_GIVEN_BACK);

  /** `identity` is called at the first connection. */
  constructor(connect: Connect, identity: () => ClientIdentity, rules: LinkRules = LOCAL_LINK) {
    this.#connect = connect;
    this.#rules = rules;
    this.#identity = lazy(identity);
  }

  /** Starts a host if none runs. */
  async call(method: string, params: object): Promise<unknown> {
    return await (await this.#open({ mayStart: true }))?.call(method, params);
  }

  /** For requests that change nothing, and are safe to repeat while a host ends. Undefined if none runs. */
  async ask(method: string, params: object): Promise<unknown> {
    return await retried(this.#rules, async () => await (await this.#open({ mayStart: false }))?.call(method, params));
  }

  /** For requests that are safe to repeat. Starts a host if none runs. The signal ends the wait for the answer. */
  async repeat(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const asking = retried(this.#rules, async () =>
      (await this.#open({ mayStart: true }))?.call(method, params, signal),
    );
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
    const pausesMs = [...this.#rules.pausesMs];
    for (let connection = first; ; connection = await this.#reopen(pausesMs, signal)) {
      if (!connection || connection.instance !== first?.instance) throw unknownOutcome("HOST_GONE");
      try {
        return await connection.call("turn", params, signal);
      } catch (error) {
        if (signal?.aborted || !connection.isClosed || !isGone(error)) throw error;
        if (pausesMs.length === 0) throw unknownOutcome(this.#rules.lossCode, error);
      }
    }
  }

  /** Takes a pause from the list before each attempt. Undefined if no host runs any more. */
  async #reopen(pausesMs: number[], signal: AbortSignal | undefined): Promise<HostConnection | undefined> {
    const { lossCode } = this.#rules;
    for (;;) {
      await sleep(pausesMs.shift());
      signal?.throwIfAborted();
      try {
        return await this.#open({ mayStart: false });
      } catch (error) {
        // A place may be out of reach for a while; a host on this machine is not.
        if (lossCode === "HOST_GONE" || pausesMs.length === 0) throw unknownOutcome(lossCode, error);
      }
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
    const pausesMs = this.#rules.pausesMs.slice(0, MAX_HELLO_PAUSES);
    const opening = retried({ pausesMs }, async () => {
      const socket = await this.#connect(options);
      const hello = { client: this.#client, ...this.#identity() };
      const connection = socket && (await HostConnection.open(socket, hello, this.#rules));
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
  return error instanceof LimpetError && (error.code === "HOST_GONE" || error.code === "LINK_LOST");
}

function unknownOutcome(code: LinkRules["lossCode"], cause?: unknown): LimpetError {
  const what = code === "HOST_GONE" ? "The host ended" : "The link to the place broke";
  const why = code === "LINK_LOST" && cause instanceof LimpetError && cause.code !== code ? ` (${cause.message})` : "";
  return new LimpetError(
    code,
    `${what} during the call, and its outcome is unknown${why}. Check the sessions before you repeat the call.`,
    { cause },
  );
}
