/**
 * The protocol between clients and host: JSON-RPC 2.0, one message per line, named params. The first message of a
 * client is `hello`. After it, the client can call the methods of `requests.ts`.
 *
 * `cancel` ends the wait of a call. `giveBack` does the same for a turn, and marks the output in its answer as unread
 * again. A client may send it over a later connection than the turn, because the answer may be in flight or lost with
 * its connection. A stream sends its values as `value` until it ends with the answer to its call; the client sends
 * `more` for each value that it has consumed, so that only a few are in flight. `acknowledge` and `giveBack` are
 * notifications, which have no answer.
 */
import { ERROR_CODES, LimpetError } from "../base/limpet-error.ts";
import type { AuditHealth } from "../safety/audit/audit-log.ts";
import type { Scope } from "../session/registry/resolve-session.ts";

/** Increases with each incompatible change. */
export const PROTOCOL = 7;

export type RpcId = number;

export interface RpcRequest {
  readonly jsonrpc: "2.0";
  /** Missing in notifications, which have no answer. */
  readonly id?: RpcId;
  readonly method: string;
  readonly params?: unknown;
}

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: ErrorData | undefined;
}

/** The fields to restore a `LimpetError` on the other side. */
interface ErrorData {
  readonly code?: string;
  readonly undeliveredBytes?: number | undefined;
  readonly sessionId?: number | undefined;
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
  /** The same for all connections of a client. A new connection replaces the previous one. */
  readonly client?: string;
  /** Whose names and lists the client uses. Default: those of all projects. */
  readonly scope?: Scope;
  /**
   * The process that started the client, as `startedBy` gives it. A client that it starts again gets the names that the
   * previous one had.
   */
  readonly starter?: string;
}

/** The host's answer to `hello`. */
export interface HelloAnswer extends Pick<Hello, "protocol" | "version"> {
  readonly pid: number;
  /** Different for each start of a host. Only the same instance remembers earlier requests. */
  readonly instance: string;
}

/** The status of a host. */
export interface HostStatus {
  readonly pid: number;
  readonly version: string;
  /** Which clients it understands. */
  readonly protocol: number;
  /** The version of Node that it runs on; an older host does not say. */
  readonly node?: string;
  readonly stateDirectory: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Sessions whose program runs. */
  readonly sessions: number;
  /** Connections, including the one that asks. */
  readonly clients: number;
  /** Whether acts are recorded; null if `config.json` turns that off. */
  readonly audit: AuditHealth | null;
}

const FAILED = -32000;
export const NOT_JSON = -32700;
export const NOT_A_REQUEST = -32600;

export function toFailure(error: unknown): RpcFailure {
  if (error instanceof LimpetError) {
    const { code, message, undeliveredBytes, sessionId } = error;
    return { code: FAILED, message, data: { code, undeliveredBytes, sessionId } };
  }
  return { code: FAILED, message: error instanceof Error ? error.message : String(error) };
}

export function fromFailure({ message, data }: RpcFailure): Error {
  const code = ERROR_CODES.find((known) => known === data?.code);
  if (code === undefined) return new Error(message);
  return new LimpetError(code, message, { undeliveredBytes: data?.undeliveredBytes, sessionId: data?.sessionId });
}
