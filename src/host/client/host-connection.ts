/** One connection to a host, from hello to its end: calls, streams, and what becomes of them when the host is gone. */
import type { Socket } from "node:net";
import { type Deferred, deferred } from "../../base/deferred.ts";
import { MAX_HOST_ANSWER_BYTES, MAX_HOST_LINE_BYTES } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { packageVersion } from "../../base/package-version.ts";
import { withTimeout } from "../../base/with-timeout.ts";
import { JsonLines, type ReceivedLine } from "../json-lines.ts";
import { fromFailure, type Hello, PROTOCOL, type RpcAnswer, type RpcId, type Welcome } from "../protocol.ts";
import { fromWire, toWire } from "../wire.ts";
import { ReceivedValues } from "./received-values.ts";

/** A host that is alive answers in a millisecond, on a machine in trouble within seconds. */
const HELLO_PATIENCE_MS = 5_000;

interface Waiting extends Deferred<unknown> {
  readonly onValue?: (value: unknown) => void;
}

interface CallRequest {
  readonly method: string;
  readonly params: unknown;
  readonly onValue?: (value: unknown) => void;
}

export class HostConnection {
  readonly #socket: Socket;
  readonly #lines: JsonLines;
  readonly #waiting = new Map<RpcId, Waiting>();
  readonly #closed = deferred<void>();
  #lastId = 0;
  #isClosed = false;
  #instance: string | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#lines = new JsonLines({
      socket,
      maxLineBytes: MAX_HOST_ANSWER_BYTES + 1024,
      onLine: (line) => this.#take(line),
      onClosed: () => this.#end(),
    });
  }

  /** Over a socket that is connected. Rejects with HOST_MISMATCH where the host speaks another protocol, with HOST_GONE where it ended. */
  static async open(socket: Socket, client: string): Promise<HostConnection> {
    const connection = new HostConnection(socket);
    const hello: Hello = { protocol: PROTOCOL, version: packageVersion(), client };
    const greeting = connection.#request({ method: "hello", params: hello });
    try {
      const welcome = (await withTimeout(HELLO_PATIENCE_MS, greeting.promise)) as Welcome | undefined;
      connection.#instance = welcome?.instance;
      if (welcome) return connection;
      throw gone(`The host does not answer, for ${HELLO_PATIENCE_MS / 1000} s.`);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Without hello: any host can be asked for its `status` and to `stop`, whatever else it speaks. */
  static bare(socket: Socket): HostConnection {
    return new HostConnection(socket);
  }

  /** Of the host: another one does not remember what this one was asked. */
  get instance(): string | undefined {
    return this.#instance;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when the host is gone or `close` was called. Keeps this process from ending meanwhile. */
  async untilClosed(): Promise<void> {
    this.#socket.ref();
    await this.#closed.promise;
  }

  /** With an aborted signal nobody waits for the answer any more; the host is not told. */
  async call(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const { id, promise } = this.#request({ method, params: toWire(params) });
    if (!signal) return await promise;
    const forget = () => this.#settle(id)?.reject(signal.reason);
    signal.addEventListener("abort", forget, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", forget);
    }
  }

  /** Each value counts as taken when the next one is asked for. */
  async *stream(method: string, params: object, signal?: AbortSignal): AsyncGenerator<unknown, void, undefined> {
    signal?.throwIfAborted();
    const values = new ReceivedValues();
    const { id, promise } = this.#request({ method, params: toWire(params), onValue: (given) => values.push(given) });
    const over = promise.finally(() => values.end());
    over.catch(() => undefined);
    const cancel = () => this.#cancel(id, signal?.reason);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      for (let next = await values.next(); next; next = await values.next()) {
        signal?.throwIfAborted();
        yield next.value;
        this.notify("more", { id });
      }
      await over;
    } finally {
      signal?.removeEventListener("abort", cancel);
      if (!values.isOver) this.#cancel(id, undefined);
    }
  }

  /** Nobody waits for what comes of it. */
  notify(method: string, params: object): void {
    if (!this.#isClosed) this.#lines.send({ jsonrpc: "2.0", method, params: toWire(params) });
  }

  close(): void {
    this.#lines.destroy();
    this.#end();
  }

  #request({ method, params, onValue }: CallRequest): { readonly id: RpcId; readonly promise: Promise<unknown> } {
    if (this.#isClosed) throw gone("The host is gone.");
    const id = this.#lastId + 1;
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const bytes = Buffer.byteLength(line);
    if (bytes > MAX_HOST_LINE_BYTES) throw tooLong(method, bytes);
    this.#lastId = id;
    const waiting: Waiting = { ...deferred<unknown>(), ...(onValue ? { onValue } : {}) };
    this.#waiting.set(id, waiting);
    // Only who waits for something keeps its process from ending.
    this.#socket.ref();
    this.#lines.sendLine(line);
    return { id, promise: waiting.promise };
  }

  #take(line: ReceivedLine): void {
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
    // An answer to a call that was given up meanwhile has nobody who waits for it.
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

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(gone("The host ended during the call."));
    this.#waiting.clear();
    this.#closed.resolve();
  }
}

function gone(what: string): LimpetError {
  return new LimpetError("HOST_GONE", `${what} Call again: that starts a new one, which lists the former sessions.`);
}

function tooLong(method: string, bytes: number): LimpetError {
  const what = `A call of ${method} with ${bytes} bytes is too long for a host, which takes ${MAX_HOST_LINE_BYTES}.`;
  return new LimpetError("BAD_OPTION", `${what} Give it less at once.`);
}
