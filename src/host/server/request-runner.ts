/** Runs the requests of a client, to the host itself or to its sessions. */

import { Semaphore } from "../../base/async/semaphore.ts";
import { MAX_HOST_READINGS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { auditParts } from "../audit-parts.ts";
import type { FileAccess } from "../files/file-access.ts";
import type { HostStatus, RpcRequest } from "../protocol.ts";
import { fromWire } from "../wire.ts";
import { atHome } from "./at-home.ts";
import type { Request } from "./define-request.ts";
import { ClientFiles } from "./files/client-files.ts";
import { type FileRequest, fileRequest } from "./files/file-requests.ts";
import { REQUESTS } from "./requests.ts";
import { ValueStream } from "./value-stream.ts";

/** The requests to the host itself. */
export interface HostControl {
  readonly version: string;
  /** Different for each start of a host. */
  readonly instance: string;
  status(): HostStatus;
  /** Starts to end the host. */
  stop(): void;
}

export interface RequestRunnerOptions {
  readonly sessions: SessionService;
  /** The name in this host of one of the client's callers. */
  readonly nameOf: (caller: string) => string;
  readonly control: HostControl;
  /** The directory that those of clients on other machines are relative to. Default: the user's home directory. */
  readonly home?: string | undefined;
  /** The files that clients copy. Default: those of this machine. */
  readonly files?: FileAccess | undefined;
  /** Limits how many answers with output are prepared at once, for all clients. */
  readonly allReadings: Semaphore;
  /** Rejects if the client must not decide about approvals. */
  readonly requirePerson: () => Promise<void>;
  /** Resolves when the client has read the earlier answers. */
  readonly untilTaken: () => Promise<void>;
}

/** A running request. */
export interface RunningRequest {
  readonly stop: AbortController;
  readonly sendValue: (value: unknown) => void;
  /** Set as soon as the answer is known to be a stream. */
  stream?: ValueStream;
}

type Params = Record<string, unknown>;

/** Not for programs that run inside a session: an agent may have started them. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(["approvals.decide", "answerPrompt"]);
/** Requests that may wait, and end when they are cancelled. */
const WAITING: ReadonlySet<string> = new Set(["turn", "approvals.wait"]);

export class RequestRunner {
  readonly #options: RequestRunnerOptions;
  /** Limits the answers in memory, because a client may send requests faster than it reads the answers. */
  readonly #readings = new Semaphore(MAX_HOST_READINGS);
  readonly #files: ClientFiles;

  constructor(options: RequestRunnerOptions) {
    this.#options = options;
    this.#files = new ClientFiles({ access: options.files, home: options.home });
  }

  async run({ method, params }: Pick<RpcRequest, "method" | "params">, running: RunningRequest): Promise<unknown> {
    const { control, untilTaken } = this.#options;
    const { stop } = running;
    if (method === "status") return control.status();
    if (method === "stop") return control.stop();
    if (method === "audit") return await this.#runAudit(params, running);
    const ofFile = fileRequest(method);
    if (ofFile) return await this.#runFile(ofFile, params, running);
    const { request, named } = this.#parse(method, params);
    if (FOR_PEOPLE.has(method)) await this.#options.requirePerson();
    const canWait = WAITING.has(method) || request.kind === "stream";
    const placed = method === "turn" ? atHome(named as unknown as TurnRequest, this.#options.home) : named;
    const withSignal = canWait ? { ...placed, signal: stop.signal } : placed;
    const ask = () => request.serve(this.#options.sessions, withSignal as never);
    if (request.kind === "stream") return await stream(ask() as AsyncIterable<unknown>, running);
    const isReading = request.kind === "reading" || (method === "turn" && isReadOnly(named));
    if (!isReading) {
      const answer = await ask();
      await untilTaken();
      return answer;
    }
    return await this.#readings.pass(async () => {
      // A client that does not read its answers must not occupy a slot that others need.
      await untilTaken();
      return await this.#options.allReadings.pass(async () => {
        stop.signal.throwIfAborted();
        return await ask();
      });
    });
  }

  /** The client has disconnected. */
  close(): void {
    this.#files.close();
  }

  async #runFile(request: FileRequest, params: unknown, running: RunningRequest): Promise<unknown> {
    const served = request.serve(this.#files, fromWire(params ?? {}));
    return request.kind === "answer" ? await served : await stream(served as AsyncIterable<unknown>, running);
  }

  async #runAudit(params: unknown, running: RunningRequest): Promise<void> {
    const { follow } = (params ?? {}) as { readonly follow?: unknown };
    const { stateDirectory } = this.#options.control.status();
    await stream(auditParts(stateDirectory, { follow: follow === true, signal: running.stop.signal }), running);
  }

  /** Handles a notification. Drops a malformed one, because a notification has no answer. */
  note(method: string, params: unknown): void {
    if (method !== "acknowledge" && method !== "giveBack") return;
    try {
      const { request, named } = this.#parse(method, params);
      request.serve(this.#options.sessions, named as never);
    } catch (error) {
      if (!(error instanceof LimpetError)) throw error;
    }
  }

  #parse(method: string, params: unknown): { readonly request: Request; readonly named: Params } {
    if (!Object.hasOwn(REQUESTS, method)) throw unknownMethod(method);
    const request = REQUESTS[method as keyof typeof REQUESTS];
    const parsed = request.parse(fromWire(params ?? {}));
    const { caller } = parsed;
    return {
      request,
      named: typeof caller === "string" ? { ...parsed, caller: this.#options.nameOf(caller) } : parsed,
    };
  }
}

async function stream(values: AsyncIterable<unknown>, running: RunningRequest): Promise<void> {
  running.stream = new ValueStream({ values, signal: running.stop.signal, send: running.sendValue });
  await running.stream.run();
}

/** The turn only reads and returns at once, so a client may send many. */
function isReadOnly({ on, wait, input }: Params): boolean {
  const { kind } = on as { readonly kind: string };
  return wait === undefined && input === undefined && kind !== "start" && kind !== "run";
}

function unknownMethod(method: string): LimpetError {
  const known = Object.keys(REQUESTS).join(", ");
  return new LimpetError("HOST_MISMATCH", `The host has no method ${JSON.stringify(method)}. Use one of: ${known}.`);
}
