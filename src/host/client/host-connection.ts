/** One connection to a host: hello, calls and streams, which fail when the host is gone. */
import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { onAbort } from "../../base/async/on-abort.ts";
import { withTimeout } from "../../base/async/with-timeout.ts";
import { MAX_HOST_ANSWER_BYTES, MAX_HOST_LINE_BYTES } from "../../base/limits.ts";
import { packageVersion } from "../../base/package-version.ts";
import { JsonLines, type ReceivedLine } from "../json-lines.ts";
import { fromFailure, type Hello, type HelloAnswer, PROTOCOL, type RpcAnswer, type RpcId } from "../protocol.ts";
import { fromWire, toWire } from "../wire.ts";
import { gone, notResponding, tooLong } from "./connection-errors.ts";
import type { HostStream } from "./host-stream.ts";
import { KeepAlive } from "./keep-alive.ts";
import { type LinkRules, LOCAL_LINK } from "./link-rules.ts";
import { ReceivedValues } from "./received-values.ts";

interface Waiting extends Deferred<unknown> {
  readonly onValue?: (value: unknown) => void;
}

interface CallRequest {
  readonly method: string;
  readonly params: unknown;
  readonly onValue?: (value: unknown) => void;
  /** Nobody waits for its answer, so it does not keep this process alive. */
  readonly isQuestion?: true;
}

export class HostConnection {
  readonly #socket: HostStream;
  readonly #rules: LinkRules;
  readonly #keepAlive: KeepAlive | undefined;
  readonly #lines: JsonLines;
  readonly #waiting = new Map<RpcId, Waiting>();
  readonly #closed = deferred<void>();
  #lastId = 0;
  #isClosed = false;
  #instance: string | undefined;

  private constructor(socket: HostStream, rules: LinkRules) {
    this.#socket = socket;
    this.#rules = rules;
    this.#lines = new JsonLines({
      socket,
      maxLineBytes: MAX_HOST_ANSWER_BYTES + 1024,
      onLine: (line) => this.#take(line),
      onClosed: () => this.#end(),
    });
    this.#keepAlive =
      rules.keepAlive &&
      new KeepAlive({
        ...rules.keepAlive,
        ask: () => this.#askForLife(),
        unsentBytes: () => this.#lines.unsentBytes,
        onDead: () => this.#die(),
      });
  }

  /**
   * `socket` is connected. Rejects with HOST_MISMATCH if the host uses another protocol, and with HOST_GONE if it
   * ended.
   */
  static async open(
    socket: HostStream,
    client: Omit<Hello, "protocol" | "version">,
    rules: LinkRules = LOCAL_LINK,
  ): Promise<HostConnection> {
    const connection = new HostConnection(socket, rules);
    const hello: Hello = { protocol: PROTOCOL, version: packageVersion(), ...client };
    const answer = connection.#request({ method: "hello", params: hello });
    try {
      const hostHello = (await withTimeout(rules.answerMs, answer.promise)) as HelloAnswer | undefined;
      connection.#instance = hostHello?.instance;
      if (hostHello) return connection;
      throw notResponding(rules);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Without hello. A host of any version answers `status` and `stop`. */
  static bare(socket: HostStream, rules: LinkRules = LOCAL_LINK): HostConnection {
    return new HostConnection(socket, rules);
  }

  /** Identifies the host. Another one does not remember the requests to this one. */
  get instance(): string | undefined {
    return this.#instance;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when the host has disconnected or `close` was called. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** The same, and keeps this process alive meanwhile. */
  async untilClosed(): Promise<void> {
    this.#socket.ref();
    await this.#closed.promise;
  }

  /** After an abort the caller does not wait for the answer; limpet does not notify the host. */
  async call(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const { id, promise } = this.#request({ method, params: toWire(params) });
    const forget = onAbort(signal, () => this.#settle(id)?.reject(signal?.reason));
    try {
      return await promise;
    } finally {
      forget();
    }
  }

  /** For requests that a host answers at once. Rejects with HOST_NOT_RESPONDING if it does not. */
  async ask<T>(method: string): Promise<T> {
    const answer = await withTimeout(
      this.#rules.answerMs,
      this.call(method, {}).then((value) => ({ value: value as T })),
    );
    if (!answer) throw notResponding(this.#rules);
    return answer.value;
  }

  /** A value counts as consumed when the next one is requested. */
  async *stream(method: string, params: object, signal?: AbortSignal): AsyncGenerator<unknown, void, undefined> {
    signal?.throwIfAborted();
    const values = new ReceivedValues();
    const { id, promise } = this.#request({ method, params: toWire(params), onValue: (given) => values.push(given) });
    const over = promise.finally(() => values.end());
    over.catch(() => undefined);
    const forget = onAbort(signal, () => this.#cancel(id, signal?.reason));
    try {
      for (let next = await values.next(); next; next = await values.next()) {
        signal?.throwIfAborted();
        yield next.value;
        this.notify("more", { id });
      }
      await over;
    } finally {
      forget();
      if (!values.isOver) this.#cancel(id, undefined);
    }
  }

  /** Sends a message without an answer. */
  notify(method: string, params: object): void {
    if (!this.#isClosed) this.#lines.send({ jsonrpc: "2.0", method, params: toWire(params) });
  }

  /** `reason`: what calls and streams that wait fail with. Default: the host is gone. */
  close(reason?: Error): void {
    this.#lines.destroy();
    this.#end(reason);
  }

  /** Ends the stream with an error: the connection below it may carry other streams. */
  #die(): void {
    this.#lines.destroy(gone(this.#rules, "during"));
    this.#end();
  }

  #request({ method, params, onValue, isQuestion }: CallRequest): {
    readonly id: RpcId;
    readonly promise: Promise<unknown>;
  } {
    if (this.#isClosed) throw gone(this.#rules, "before");
    const id = this.#lastId + 1;
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const bytes = Buffer.byteLength(line);
    if (bytes > MAX_HOST_LINE_BYTES) throw tooLong(method, bytes);
    this.#lastId = id;
    const waiting: Waiting = { ...deferred<unknown>(), ...(onValue ? { onValue } : {}) };
    // Any line that comes is a sign of life.
    if (!isQuestion) {
      this.#waiting.set(id, waiting);
      // Only a waiting call keeps the process alive.
      this.#socket.ref();
    }
    this.#lines.sendLine(line);
    return { id, promise: waiting.promise };
  }

  /** A host answers `status` at once, whatever else it does. */
  #askForLife(): void {
    if (this.#isClosed) return;
    this.#request({ method: "status", params: {}, isQuestion: true });
  }

  #take(line: ReceivedLine): void {
    this.#keepAlive?.heard();
    if (line.kind !== "value") {
      this.close();
      return;
    }
    const message = line.value as RpcAnswer & {
      readonly method?: string;
      readonly params?: { readonly id: RpcId; readonly value: unknown };
    };
    if (message.method === "value" && message.params) {
      this.#waiting.get(message.params.id)?.onValue?.(fromWire(message.params.value));
      return;
    }
    // The call of this answer may have been cancelled meanwhile.
    const { id, error, result } = message;
    const waiting = id === null ? undefined : this.#settle(id);
    if (error) waiting?.reject(fromFailure(error));
    else waiting?.resolve(fromWire(result) ?? undefined);
  }

  #settle(id: RpcId): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#socket.unref();
    return waiting;
  }

  #cancel(id: RpcId, reason: unknown): void {
    this.notify("cancel", { id });
    this.#settle(id)?.reject(reason);
  }

  #end(reason?: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#keepAlive?.stop();
    for (const { reject } of this.#waiting.values()) reject(reason ?? gone(this.#rules, "during"));
    this.#waiting.clear();
    this.#closed.resolve();
  }
}
