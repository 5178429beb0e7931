/**
 * What clients and host say to each other: JSON-RPC 2.0, one message per line, params by name. The first message of a
 * client is `hello`; then the methods of `requests.ts` can be called.
 *
 * `cancel` ends the wait of a call. `giveBack` does so for a turn and makes unread again what its answer took, even
 * over the next connection: its answer may be on its way, or lost with the connection. A stream sends its values as
 * `value` until it ends with the answer to its call; the client sends `more` for each value that it has taken, so that
 * only a few are ever on their way. `acknowledge` and `giveBack` are notifications: nobody waits for them.
 */
import { ERROR_CODES, LimpetError } from "../base/limpet-error.ts";

/** Goes up with each change that an older client or host would not understand. */
export const PROTOCOL = 2;

export type RpcId = number;

export interface RpcRequest {
  readonly jsonrpc: "2.0";
  /** Without one, nobody waits for an answer. */
  readonly id?: RpcId;
  readonly method: string;
  readonly params?: unknown;
}

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: ErrorData | undefined;
}

/** What makes a `LimpetError` again on the other side. */
interface ErrorData {
  readonly code?: string;
  readonly undeliveredBytes?: number | undefined;
}

export interface RpcAnswer {
  readonly jsonrpc: "2.0";
  readonly id: RpcId | null;
  readonly result?: unknown;
  readonly error?: RpcFailure;
}

export interface Hello {
  readonly protocol: number;
  readonly version: string;
  /** The same for all connections of a client: one that connects again takes the place of its former connection. */
  readonly client?: string;
}

/** What a host answers to it. */
export interface Welcome extends Omit<Hello, "client"> {
  readonly pid: number;
  /** Different for each start of a host: only the same one remembers what it was asked before. */
  readonly instance: string;
}

/** What a host tells of itself. */
export interface HostStatus {
  readonly pid: number;
  readonly version: string;
  readonly stateDirectory: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Sessions whose program lives. */
  readonly sessions: number;
  /** Connections, the asking one included. */
  readonly clients: number;
}

const FAILED = -32000;
export const NOT_JSON = -32700;
export const NOT_A_REQUEST = -32600;

export function toFailure(error: unknown): RpcFailure {
  if (error instanceof LimpetError) {
    const { code, message, undeliveredBytes } = error;
    return { code: FAILED, message, data: { code, undeliveredBytes } };
  }
  return { code: FAILED, message: error instanceof Error ? error.message : String(error) };
}

export function fromFailure({ message, data }: RpcFailure): Error {
  const code = ERROR_CODES.find((known) => known === data?.code);
  if (code === undefined) return new Error(message);
  const undeliveredBytes = data?.undeliveredBytes;
  return new LimpetError(code, message, undeliveredBytes === undefined ? {} : { undeliveredBytes });
}
