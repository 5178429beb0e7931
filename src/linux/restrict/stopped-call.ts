/**
 * System calls that a filter has stopped until the owner of its listener answers. The memory that their arguments point
 * to can change meanwhile, so a decision to continue a call must not rely on it.
 */
import { libc } from "../libc.ts";

export interface StoppedCall {
  readonly id: bigint;
  /** The thread that made the call. */
  readonly thread: number;
  readonly args: readonly bigint[];
}

/** `continue`: the kernel carries the call out. A number: the call returns with this error, or 0 for success. */
export type CallAnswer = number | "continue";

// From linux/seccomp.h: the ioctl requests, which contain the sizes, and the offsets in the structures.
const RECEIVE = 0xc0502100;
const SEND = 0xc0182101;
const IS_VALID = 0x40082102;
const CALL_BYTES = 80;
const THREAD_AT = 8;
const ARGUMENTS_AT = 32;
const ARGUMENTS = 6;
const ANSWER_BYTES = 24;
const ERROR_AT = 16;
const FLAGS_AT = 20;
const CONTINUE = 1;

/** Waits for the next call. Undefined if it is gone, for example because its thread was killed. */
export function nextStoppedCall(listener: number): StoppedCall | undefined {
  const bytes = Buffer.alloc(CALL_BYTES);
  if (libc.ioctl(listener, RECEIVE, bytes) !== 0) return undefined;
  return {
    id: bytes.readBigUInt64LE(0),
    thread: bytes.readUInt32LE(THREAD_AT),
    args: Array.from({ length: ARGUMENTS }, (_, at) => bytes.readBigUInt64LE(ARGUMENTS_AT + 8 * at)),
  };
}

/** Whether the call still waits. If so, its thread has had the same number all the time. */
export function isStopped(listener: number, { id }: StoppedCall): boolean {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(id);
  return libc.ioctl(listener, IS_VALID, bytes) === 0;
}

export function answerCall(listener: number, { id }: StoppedCall, answer: CallAnswer): void {
  const bytes = Buffer.alloc(ANSWER_BYTES);
  bytes.writeBigUInt64LE(id);
  if (answer === "continue") bytes.writeUInt32LE(CONTINUE, FLAGS_AT);
  else bytes.writeInt32LE(-answer, ERROR_AT);
  libc.ioctl(listener, SEND, bytes);
}
