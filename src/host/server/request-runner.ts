/** Carries out what a client asks: of the host itself, or of its sessions. */
import { MAX_HOST_READINGS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { Semaphore } from "../../base/semaphore.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { HostStatus, RpcRequest } from "../protocol.ts";
import { fromWire } from "../wire.ts";
import { REQUESTS, type Request } from "./requests.ts";
import { ValueStream } from "./value-stream.ts";

/** What a client can ask of the host itself. */
export interface HostControl {
  readonly version: string;
  /** Different for each start of a host. */
  readonly instance: string;
  status(): HostStatus;
  /** Begins the end of the host. */
  stop(): void;
}

export interface RequestRunnerOptions {
  readonly sessions: SessionService;
  /** Under which name one of the client's callers is known here. */
  readonly nameOf: (caller: string) => string;
  readonly control: HostControl;
  /** Resolves when the client has taken what was answered before. */
  readonly untilTaken: () => Promise<void>;
}

/** A request that is being carried out. */
export interface RunningRequest {
  readonly stop: AbortController;
  readonly sendValue: (value: unknown) => void;
  /** There as soon as it is known that the answer is one. */
  stream?: ValueStream;
}

type Params = Record<string, unknown>;

export class RequestRunner {
  readonly #options: RequestRunnerOptions;
  /** What is asked for faster than it is taken must not lie here all at once. */
  readonly #readings = new Semaphore(MAX_HOST_READINGS);

  constructor(options: RequestRunnerOptions) {
    this.#options = options;
  }

  async run({ method, params }: Pick<RpcRequest, "method" | "params">, running: RunningRequest): Promise<unknown> {
    const { control, untilTaken } = this.#options;
    const { stop, sendValue } = running;
    if (method === "status") return control.status();
    if (method === "stop") return control.stop();
    const { request, named } = this.#parse(method, params);
    const withSignal = method === "turn" || request.kind === "stream" ? { ...named, signal: stop.signal } : named;
    const ask = () => request.serve(this.#options.sessions, withSignal as never);
    if (request.kind === "stream") {
      const values = ask() as AsyncIterable<unknown>;
      running.stream = new ValueStream({ values, signal: stop.signal, send: sendValue });
      return await running.stream.run();
    }
    const isReading = request.kind === "reading" || (method === "turn" && isReadOnly(named));
    if (!isReading) {
      const answer = await ask();
      await untilTaken();
      return answer;
    }
    return await this.#readings.pass(async () => {
      await untilTaken();
      stop.signal.throwIfAborted();
      return await ask();
    });
  }

  /** What nobody waits for. A malformed one is dropped: there is nobody to report it to. */
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

/** It answers at once, with output: what a client asks for without end. */
function isReadOnly({ on, wait, input }: Params): boolean {
  const { kind } = on as { readonly kind: string };
  return wait === undefined && input === undefined && kind !== "start" && kind !== "run";
}

function unknownMethod(method: string): LimpetError {
  const known = Object.keys(REQUESTS).join(", ");
  return new LimpetError("HOST_MISMATCH", `The host has no method ${JSON.stringify(method)}. Use one of: ${known}.`);
}
