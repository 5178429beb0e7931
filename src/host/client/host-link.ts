/**
 * The connection of a client to its host: made at the first call, and again when it broke. After `close`, nothing
 * connects, and whatever waits ends with CLIENT_CLOSED.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { lazy } from "../../base/async/lazy.ts";
import { onAbort } from "../../base/async/on-abort.ts";
import { untilAborted } from "../../base/async/until-aborted.ts";
import type { Undelivered } from "../../service/turn/receipt.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import type { Hello, HostStatus } from "../protocol.ts";
import type { Connect, ConnectRequest } from "./connect-request.ts";
import { GivenBack } from "./given-back.ts";
import { HostConnection } from "./host-connection.ts";
import { LinkClosing } from "./link-closing.ts";
import { isGone, retried, unknownOutcome } from "./link-loss.ts";
import { type LinkRules, LOCAL_LINK, pauseBeforeAttempt } from "./link-rules.ts";

/** A connection that ends before hello is made again soon, or reported. */
const MAX_HELLO_PAUSES = 4;

/** `lost`: it broke, and limpet connects again. */
export type LinkListener = (state: "lost" | "up") => void;

/** Who the client is to the host. */
export type ClientIdentity = Pick<Hello, "scope" | "starter">;

export class HostLink {
  readonly #connect: Connect;
  /** The same for all connections of this client, so that the host recognises it. */
  readonly #client = crypto.randomUUID();
  readonly #identity: () => ClientIdentity;
  readonly #rules: LinkRules;
  #connection: Promise<HostConnection | undefined> | undefined;
  #current: HostConnection | undefined;
  readonly #closing = new LinkClosing();
  readonly #listeners = new Set<LinkListener>();
  /** A turn or a stream was requested that may still run on the host. */
  #hasWork = false;
  /** It is unknown whether the host received them, so the next connection sends all of them first. */
  readonly #givenBack = new GivenBack();

  /** `identity` is called at the first connection. */
  constructor(connect: Connect, identity: () => ClientIdentity, rules: LinkRules = LOCAL_LINK) {
    this.#connect = connect;
    this.#rules = rules;
    this.#identity = lazy(identity);
  }

  /** Starts a host if none runs. */
  async call(method: string, params: object): Promise<unknown> {
    return await (await this.#open({ mayStart: true, purpose: "act" }))?.call(method, params);
  }

  /** The same for requests that only read. Asks again if the link breaks and its rules reconnect it. */
  async read(method: string, params: object, purpose: "act" | "look" = "act"): Promise<unknown> {
    const attempt = async () => await (await this.#open({ mayStart: true, purpose }))?.call(method, params);
    return await (this.#rules.resumes ? this.#retried(attempt) : attempt());
  }

  /** Like `read`, for requests that go to all places at once: none of them asks a person to log in. */
  async look(method: string, params: object): Promise<unknown> {
    return await this.read(method, params, "look");
  }

  /** For requests that change nothing, and are safe to repeat while a host ends. Undefined if none runs. */
  async ask(method: string, params: object): Promise<unknown> {
    const request = { mayStart: false, purpose: "look" } as const;
    return await this.#retried(async () => await (await this.#open(request))?.call(method, params));
  }

  /** For requests that are safe to repeat. Starts a host if none runs. The signal ends the wait for the answer. */
  async repeat(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const asking = this.#retried(async () =>
      (await this.#open({ mayStart: true, purpose: "act" }))?.call(method, params, signal),
    );
    return await untilAborted(asking, signal);
  }

  async turn(request: Omit<TurnRequest, "signal">, signal: AbortSignal | undefined): Promise<TurnAnswer> {
    signal?.throwIfAborted();
    this.#hasWork = true;
    const { caller, requestId = crypto.randomUUID() } = request;
    // The host may have answered all the same. At once: before a call that follows the abort.
    const giveBack = () => this.giveBack({ caller, requestId });
    const forget = onAbort(signal, giveBack);
    try {
      const answer = await untilAborted(this.#untilAnswered({ ...request, requestId }, signal), signal);
      signal?.throwIfAborted();
      return answer as TurnAnswer;
    } catch (error) {
      if (isGone(error)) giveBack();
      throw error;
    } finally {
      forget();
    }
  }

  /** Does not wait for an answer. If the connection breaks, the next one sends it again. */
  giveBack(undelivered: Undelivered): void {
    const request = this.#givenBack.add(undelivered);
    // Without a connection the next one begins with it.
    if (request) this.#current?.notify("giveBack", request);
  }

  /**
   * Sends the request again when the connection breaks, but only to the host that has it: another one would act again.
   */
  async #untilAnswered(params: object, signal: AbortSignal | undefined): Promise<unknown> {
    const first = await this.#open({ mayStart: true, purpose: "act" });
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

  /** Takes a pause from the list before each attempt. Undefined if the host no longer runs. */
  async #reopen(pausesMs: number[], signal: AbortSignal | undefined): Promise<HostConnection | undefined> {
    const { lossCode } = this.#rules;
    for (;;) {
      await this.pause(pausesMs.shift() ?? 0);
      signal?.throwIfAborted();
      try {
        return await this.#open({ mayStart: false, purpose: "act" });
      } catch (error) {
        this.#closing.throwIfClosed();
        // A place may be out of reach for a while; a host on this machine is not.
        if (lossCode === "HOST_GONE" || pausesMs.length === 0) throw unknownOutcome(lossCode, error);
      }
    }
  }

  /** Sends a message without an answer, over the next connection if there is none. After `close`, it is dropped. */
  notify(method: string, params: object): void {
    if (this.#current && !this.#current.isClosed) this.#current.notify(method, params);
    else
      void this.#open({ mayStart: false, purpose: "return" }).then(
        (connection) => connection?.notify(method, params),
        () => undefined,
      );
  }

  async *stream(
    method: string,
    params: object,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<unknown, void, undefined> {
    this.#hasWork = true;
    const connection = await this.#open({ mayStart: true, purpose: method === "events" ? "look" : "act" });
    if (connection) yield* connection.stream(method, params, signal);
  }

  onLink(listener: LinkListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Waits between two attempts. Rejects with CLIENT_CLOSED as soon as the client is closed. */
  readonly pause: LinkClosing["pause"] = this.#closing.pause;

  /** For good. Calls and streams that wait reject with CLIENT_CLOSED, as do all later ones. */
  close(): void {
    const current = this.#current;
    this.#current = undefined;
    this.#closing.close();
    current?.close(this.#closing.signal.reason);
  }

  async #retried<T>(attempt: () => Promise<T>): Promise<T> {
    return await retried({ pausesMs: this.#rules.pausesMs, pause: this.pause }, attempt);
  }

  /** The open connection, or a new one. Rejects with CLIENT_CLOSED as soon as the client is closed. */
  async #open(options: ConnectRequest): Promise<HostConnection | undefined> {
    return await this.#closing.until(() => this.#openShared(options));
  }

  /** Concurrent callers share it. */
  async #openShared(options: ConnectRequest): Promise<HostConnection | undefined> {
    if (this.#current && !this.#current.isClosed) return this.#current;
    for (;;) {
      const latest = this.#connection;
      const current = await latest?.catch(() => undefined);
      if (current && !current.isClosed) return current;
      if (this.#connection === latest) break;
    }
    const pausesMs = this.#rules.pausesMs.slice(0, MAX_HELLO_PAUSES);
    const opening = retried({ pausesMs, pause: this.pause }, () => this.#connectOnce(options));
    this.#connection = opening;
    const connection = await opening;
    this.#closing.throwIfClosed();
    if (this.#connection === opening) this.#current = connection;
    if (connection && this.#rules.resumes) this.#follow(connection);
    return connection;
  }

  async #connectOnce(options: ConnectRequest): Promise<HostConnection | undefined> {
    this.#closing.throwIfClosed();
    const socket = await this.#connect({ ...options, signal: this.#closing.signal });
    if (!socket) return undefined;
    this.#closing.endWith(socket);
    const hello = { client: this.#client, ...this.#identity() };
    const connection = await HostConnection.open(socket, hello, this.#rules);
    for (const request of this.#givenBack.requests()) connection.notify("giveBack", request);
    return connection;
  }

  /** Connects again in the background when the connection breaks and something may go on there. */
  #follow(connection: HostConnection): void {
    this.#tell("up");
    void connection.closed.then(() => {
      if (this.#current !== connection) return;
      this.#tell("lost");
      if (this.#hasWork) void this.#reconnect(connection);
    });
  }

  async #reconnect(lost: HostConnection): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const pauseMs = pauseBeforeAttempt(attempt);
      if (pauseMs === undefined) return;
      await sleep(pauseMs, undefined, { ref: false });
      // Closed meanwhile, or a call has connected.
      if (this.#current !== lost) return;
      const next = await this.#open({ mayStart: false, purpose: "return" }).catch(() => lost);
      if (next === lost) continue;
      const status = await next?.ask<HostStatus>("status").catch(() => undefined);
      this.#hasWork = (status?.sessions ?? 0) > 0;
      return;
    }
  }

  #tell(state: "lost" | "up"): void {
    for (const listener of this.#listeners) listener(state);
  }
}
