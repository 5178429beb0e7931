/** What a client asks for, carried out: of the host itself, or of its sessions. */

import { MAX_HOST_READINGS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { Semaphore } from "../base/semaphore.ts";
import type { SessionService } from "../service/session-service.ts";
import { renameCaller } from "./caller-names.ts";
import { type HostStatus, METHODS, type RpcRequest } from "./protocol.ts";
import { ValueStream } from "./value-stream.ts";
import { fromWire } from "./wire.ts";

/** What a client can ask of the host itself. */
export interface HostControl {
  readonly version: string;
  status(): HostStatus;
  /** Begins the end of the host. */
  stop(): void;
}

export interface RequestRunnerOptions {
  readonly sessions: SessionService;
  /** Under which name one of the client's callers is known here. */
  readonly nameOf: (caller: string) => string;
  readonly desk: HostControl;
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

type AnyMethod = (...args: unknown[]) => unknown;

export class RequestRunner {
  readonly #options: RequestRunnerOptions;
  /** What is asked for faster than it is taken must not lie here all at once. */
  readonly #readings = new Semaphore(MAX_HOST_READINGS);

  constructor(options: RequestRunnerOptions) {
    this.#options = options;
  }

  async run({ method, params }: Pick<RpcRequest, "method" | "params">, running: RunningRequest): Promise<unknown> {
    const { sessions, nameOf, desk, untilTaken } = this.#options;
    const { stop, sendValue } = running;
    if (method === "status") return desk.status();
    if (method === "stop") return desk.stop();
    if (!Object.hasOwn(METHODS, method)) throw unknownMethod(method);
    const name = method as keyof SessionService;
    if (!Array.isArray(params)) throw new LimpetError("BAD_OPTION", `${method} has no list of params. Give one.`);
    const args = renameCaller(method, fromWire(params, stop.signal) as unknown[], nameOf);
    const ask = () => (sessions[name] as AnyMethod).apply(sessions, args);
    if (METHODS[name].kind === "answer") return await ask();
    if (METHODS[name].kind === "reading") {
      return await this.#readings.pass(async () => {
        await untilTaken();
        stop.signal.throwIfAborted();
        return await ask();
      });
    }
    running.stream = new ValueStream({ values: ask() as AsyncIterable<unknown>, signal: stop.signal, send: sendValue });
    return await running.stream.run();
  }
}

function unknownMethod(method: string): LimpetError {
  const known = Object.keys(METHODS).join(", ");
  return new LimpetError("HOST_MISMATCH", `The host has no method ${JSON.stringify(method)}. It has: ${known}.`);
}
