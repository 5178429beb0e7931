/** One client of the host: its calls, its streams and its limits. When it disconnects, only its waits end. */
import type { Duplex } from "node:stream";
import type { Semaphore } from "../../base/async/semaphore.ts";
import {
  MAX_HOST_ANSWER_BYTES,
  MAX_HOST_CALLS,
  MAX_HOST_LINE_BYTES,
  MAX_HOST_UNSENT_BYTES,
} from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { DETACHED } from "../../service/turn/detached.ts";
import { JsonLines, type ReceivedLine } from "../json-lines.ts";
import {
  type Hello,
  type HelloAnswer,
  type HostStatus,
  NOT_A_REQUEST,
  PROTOCOL,
  type RpcFailure,
  type RpcId,
  type RpcRequest,
  toFailure,
} from "../protocol.ts";
import { toWire } from "../wire.ts";
import { greediest, type HoldingClient, mayHold } from "./client-memory.ts";
import { type ReadHello, readHello } from "./read-hello.ts";
import { readRequest } from "./read-request.ts";
import { type HostControl, RequestRunner, type RequestRunnerOptions, type RunningRequest } from "./request-runner.ts";

/** What a client may use after hello. */
export type ServedView = Pick<RequestRunnerOptions, "sessions" | "nameOf" | "requirePerson" | "home" | "files">;

export interface ServedClientOptions {
  readonly stream: Duplex;
  readonly control: HostControl;
  /** The sessions for the client that said hello. */
  readonly viewFor: (client: ServedClient, hello: ReadHello) => ServedView;
  readonly onClosed: (client: ServedClient) => void;
  /** Limits how many answers with output are prepared at once, for all clients. */
  readonly allReadings: Semaphore;
  /** All clients of the host. */
  readonly clients: ReadonlySet<ServedClient>;
  /** Called with every request. */
  readonly onRequest: () => void;
  /** Throws for a method that this client may not use. */
  readonly refuse?: ((method: string) => void) | undefined;
}

const MUCH_BYTES = 1024 * 1024;

/** Allowed without hello, so that clients of any version can ask for the status of a host and stop it. */
const ALLOWED_BEFORE_HELLO: ReadonlySet<string> = new Set(["status", "stop"]);

export class ServedClient implements HoldingClient {
  readonly #options: ServedClientOptions;
  readonly #lines: JsonLines;
  readonly #calls = new Map<RpcId, RunningRequest>();
  /** Set after hello. */
  #runner: RequestRunner | undefined;

  constructor(options: ServedClientOptions) {
    this.#options = options;
    const { stream: socket, onClosed } = options;
    this.#lines = new JsonLines({
      socket,
      maxLineBytes: MAX_HOST_LINE_BYTES,
      mayHold: (bytes) => mayHold(bytes, this.#others()),
      onLine: (line) => this.#take(line),
      onClosed: () => {
        for (const { stop } of this.#calls.values()) stop.abort(DETACHED);
        this.#runner?.close();
        onClosed(this);
      },
    });
  }

  get incompleteBytes(): number {
    return this.#lines.incompleteBytes;
  }

  get unreadBytes(): number {
    return this.#lines.unsentBytes;
  }

  /** Answers that were sent still arrive. */
  end(): void {
    this.#lines.end();
  }

  destroy(): void {
    this.#lines.destroy();
  }

  *#others(): Generator<ServedClient> {
    for (const client of this.#options.clients) if (client !== this) yield client;
  }

  #take(line: ReceivedLine): void {
    this.#options.onRequest();
    const read = readRequest(line);
    if (read.kind === "refused") this.#fail(null, read.error);
    else this.#handle(read.request);
  }

  #handle(request: RpcRequest): void {
    const { id, method, params } = request;
    if (method === "hello") this.#answerHello(id ?? null, params as Partial<Hello> | undefined);
    else if (!this.#runner && !ALLOWED_BEFORE_HELLO.has(method)) {
      this.#fail(id ?? null, {
        code: NOT_A_REQUEST,
        message: `${JSON.stringify(method)} came before hello. Send hello first.`,
      });
      this.#lines.end();
    } else if (id === undefined) this.#note(method, params);
    else void this.#answer(id, request);
  }

  #answerHello(id: RpcId | null, hello: Partial<Hello> | undefined): void {
    const { control, viewFor, allReadings } = this.#options;
    const { version, instance } = control;
    if (hello?.protocol === PROTOCOL) {
      const untilTaken = () => this.#lines.untilTaken();
      this.#runner ??= new RequestRunner({ ...viewFor(this, readHello(hello)), control, allReadings, untilTaken });
      const welcome: HelloAnswer = { protocol: PROTOCOL, version, instance, pid: process.pid };
      this.#sendLine(lineOf(id, welcome));
      return;
    }
    this.#fail(id, toFailure(mismatch(version, hello)));
    this.#lines.end();
  }

  #note(method: string, params: unknown): void {
    const id = (params as { readonly id?: unknown } | undefined)?.id;
    const call = typeof id === "number" ? this.#calls.get(id) : undefined;
    if (method === "cancel") call?.stop.abort();
    else if (method === "more") call?.stream?.allowOne();
    else this.#runner?.note(method, params);
  }

  async #answer(id: RpcId, { method, params }: RpcRequest): Promise<void> {
    const refusal = this.#refusalOf(id);
    if (refusal !== undefined) {
      this.#fail(id, { code: NOT_A_REQUEST, message: refusal });
      return;
    }
    const sendValue = (value: unknown) =>
      this.#send({ jsonrpc: "2.0", method: "value", params: { id, value: toWire(value) } });
    const call: RunningRequest = { stop: new AbortController(), sendValue };
    this.#calls.set(id, call);
    try {
      this.#options.refuse?.(method);
      const runner = this.#runner;
      const result = runner ? await runner.run({ method, params }, call) : this.#control(method);
      const line = lineOf(id, result);
      if (line.length > MAX_HOST_ANSWER_BYTES) {
        // The client does not receive it, so the output in it is unread again.
        runner?.note("giveBack", asked(params));
        throw tooLong(line.length);
      }
      this.#sendLine(line);
    } catch (error) {
      this.#fail(id, toFailure(error));
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Without hello. */
  #control(method: string): HostStatus | undefined {
    const { control } = this.#options;
    if (method === "status") return control.status();
    control.stop();
    return undefined;
  }

  #refusalOf(id: RpcId): string | undefined {
    if (this.#calls.has(id)) return `The id ${id} is in use. Use a new id for each call.`;
    if (this.#calls.size < MAX_HOST_CALLS) return undefined;
    return `${MAX_HOST_CALLS} calls are running. Wait for one of them to end.`;
  }

  #fail(id: RpcId | null, error: RpcFailure): void {
    this.#send({ jsonrpc: "2.0", id, error });
  }

  #send(message: object): void {
    this.#sendLine(JSON.stringify(message));
  }

  /** Disconnects a client that does not read its answers, because they would fill the memory. */
  #sendLine(line: string): void {
    this.#lines.sendLine(line);
    if (this.unreadBytes > MAX_HOST_UNSENT_BYTES) this.#lines.destroy();
    // The sum over all clients is computed only if this one has much unread, because that is rare.
    else if (this.unreadBytes > MUCH_BYTES) greediest(this.#options.clients)?.destroy();
  }
}

function lineOf(id: RpcId | null, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: toWire(result) ?? null });
}

/** Which request it was, if it can be given back. */
function asked(params: unknown): object {
  const { caller, requestId } = (params ?? {}) as { readonly caller?: unknown; readonly requestId?: unknown };
  return { caller, requestId };
}

function mismatch(version: string, hello: Partial<Hello> | undefined): LimpetError {
  const other = `limpet ${String(hello?.version).slice(0, 32)} with protocol ${JSON.stringify(hello?.protocol)}`;
  const isOlder = typeof hello?.protocol === "number" && hello.protocol < PROTOCOL;
  return new LimpetError(
    "HOST_MISMATCH",
    `The host is limpet ${version} with protocol ${PROTOCOL}, this client is ${other}: ${isOlder ? "older" : "newer"}. Use the same version, or end the host and its sessions with limpet host stop.`,
  );
}

function tooLong(bytes: number): LimpetError {
  const message = `The answer has ${bytes} bytes, more than ${MAX_HOST_ANSWER_BYTES}. Request less per call.`;
  return new LimpetError("BAD_OPTION", message);
}
