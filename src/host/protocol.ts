/**
 * What clients and host say to each other: JSON-RPC 2.0, one message per line. The first message of a client is `hello`;
 * then every method of `Sessions` can be called by its name, with its arguments in order.
 *
 * `cancel` ends the waiting of a call. A stream sends its values as `value` until it ends with the answer to its call; the
 * client says `more` for each that it has taken, so that no more than a few are ever on their way.
 */
import { ERROR_CODES, LimpetError } from "../base/limpet-error.ts";
import type { SessionService } from "../service/session-service.ts";

/** Goes up with each change that an older client or host would not understand. */
export const PROTOCOL = 1;

interface Method {
  /** One answer, a large one out of a session's output, or a stream of values. */
  readonly kind: "answer" | "reading" | "stream";
  /** What is true as long as no host runs; without this, a call starts one. */
  readonly withoutHost?: unknown;
}

const answer: Method = { kind: "answer" };
const reading: Method = { kind: "reading" };
const none: Method = { kind: "answer", withoutHost: [] };

/** All that can be asked of sessions. A method of the interface that is missing here does not compile. */
export const METHODS: Readonly<Record<keyof SessionService, Method>> = {
  start: answer,
  write: answer,
  endInput: answer,
  run: answer,
  press: answer,
  screen: answer,
  waitForScreen: answer,
  typedByOthers: answer,
  hold: answer,
  release: answer,
  wait: answer,
  unread: reading,
  confirm: answer,
  giveBack: answer,
  skipUnread: answer,
  text: reading,
  head: reading,
  tail: reading,
  grep: reading,
  output: { kind: "stream" },
  identify: answer,
  state: answer,
  running: none,
  leftovers: none,
  list: reading,
  resize: answer,
  record: answer,
  stopRecording: answer,
  close: answer,
};

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
