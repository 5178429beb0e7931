/**
 * A seccomp filter: decides which system calls of a thread, and of everything that it starts later, are refused with
 * which error. It sees the values of a call's arguments, but not the memory that a pointer refers to.
 */
import { constants } from "node:os";
import { LimpetError } from "../../base/limpet-error.ts";
import { addressOf, errno, errnoName, libc } from "../libc.ts";
import { callNumber } from "./syscall-numbers.ts";

/** A test of one argument: it equals one of these values, or none of them with `isOther`, or has one of the bits. */
export type ArgumentTest =
  | { readonly index: ArgumentIndex; readonly values: readonly number[]; readonly isOther?: boolean }
  | { readonly index: ArgumentIndex; readonly bits: number };

export type ArgumentIndex = 0 | 1 | 2 | 3;

/** Refuses a call: always, or if all tests hold. */
export interface Refusal {
  /** The number of the call on this processor. */
  readonly call: number;
  readonly errno: number;
  readonly tests?: readonly ArgumentTest[];
}

/** What the filter needs to know about a processor. */
export interface Processor {
  /** The kernel's name of the system call convention. */
  readonly audit: number;
  /** Calls from here on belong to another convention; undefined if there is none. */
  readonly otherConventionFrom?: number;
}

const PROCESSORS: Readonly<Record<string, Processor>> = {
  x64: { audit: 0xc000003e, otherConventionFrom: 0x40000000 },
  arm64: { audit: 0xc00000b7 },
};

export function thisProcessor(): Processor {
  const processor = PROCESSORS[process.arch];
  if (processor) return processor;
  throw new LimpetError(
    "SANDBOX_UNAVAILABLE",
    `The sandbox does not support ${process.arch} processors. Use x64 or arm64, or pass sandbox "off".`,
  );
}

// The few instructions of the filter's language that are needed, from linux/bpf_common.h.
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_BITS = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const NOTIFY = 0x7fc00000;
// Offsets in the kernel's description of a call.
const NUMBER_AT = 0;
const CONVENTION_AT = 4;
const ARGUMENTS_AT = 16;
const INSTRUCTION_BYTES = 8;

interface Instruction {
  readonly code: number;
  readonly value: number;
  readonly ifTrue?: number;
  readonly ifFalse?: number;
}

/** Pure: the filter's program. Calls by another convention than this process uses are refused altogether. */
export function filterProgram(refusals: readonly Refusal[], processor: Processor): Buffer {
  const { audit, otherConventionFrom } = processor;
  const instructions: Instruction[] = [
    { code: LOAD, value: CONVENTION_AT },
    { code: JUMP_IF_EQUAL, value: audit, ifTrue: 1 },
    fail(constants.errno.ENOSYS),
    { code: LOAD, value: NUMBER_AT },
  ];
  if (otherConventionFrom !== undefined)
    instructions.push({ code: JUMP_IF_AT_LEAST, value: otherConventionFrom, ifFalse: 1 }, fail(constants.errno.ENOSYS));
  for (const refusal of refusals) instructions.push(...refusing(refusal));
  instructions.push({ code: RETURN, value: ALLOW });
  return Buffer.concat(instructions.map(encode));
}

/**
 * Pure: a program that stops one call until the listener of the filter has answered for it. All others are allowed,
 * and so are those by another convention, which another filter must refuse.
 */
export function noticeProgram(call: number, { audit }: Processor): Buffer {
  const instructions: readonly Instruction[] = [
    { code: LOAD, value: CONVENTION_AT },
    { code: JUMP_IF_EQUAL, value: audit, ifFalse: 3 },
    { code: LOAD, value: NUMBER_AT },
    { code: JUMP_IF_EQUAL, value: call, ifFalse: 1 },
    { code: RETURN, value: NOTIFY },
    { code: RETURN, value: ALLOW },
  ];
  return Buffer.concat(instructions.map(encode));
}

/** Instructions that refuse a call. They expect the number of the call to be loaded, and load it again at their end. */
function refusing({ call, errno: error, tests = [] }: Refusal): Instruction[] {
  const body = [fail(error)];
  // From the last test to the first: a test that does not hold jumps over all that follows it.
  for (const test of [...tests].reverse()) body.unshift(...testing(test, body.length));
  if (tests.length > 0) body.push({ code: LOAD, value: NUMBER_AT });
  return [{ code: JUMP_IF_EQUAL, value: call, ifFalse: body.length }, ...body];
}

/** Continues if the test holds, and skips `after` more instructions otherwise. */
function testing(test: ArgumentTest, after: number): Instruction[] {
  // Only the low half of the argument is compared; all tested values fit into it.
  const load = { code: LOAD, value: ARGUMENTS_AT + 8 * test.index };
  if ("bits" in test) return [load, { code: JUMP_IF_BITS, value: test.bits, ifFalse: after }];
  const { values, isOther = false } = test;
  const jumps = values.map((value, at) => {
    const rest = values.length - 1 - at;
    return isOther
      ? { code: JUMP_IF_EQUAL, value, ifTrue: rest + after }
      : { code: JUMP_IF_EQUAL, value, ifTrue: rest, ifFalse: rest > 0 ? 0 : after };
  });
  return [load, ...jumps];
}

function fail(error: number): Instruction {
  return { code: RETURN, value: FAIL | error };
}

function encode({ code, value, ifTrue = 0, ifFalse = 0 }: Instruction): Buffer {
  const bytes = Buffer.alloc(INSTRUCTION_BYTES);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}

const SECCOMP_SET_MODE_FILTER = 1;

/** Returns a descriptor that reports calls; a signal that the program handles does not interrupt them. */
const NEW_LISTENER = 0x08;
const WAIT_KILLABLE_RECV = 0x20;

/** Applies the program to the calling thread. The thread must have set no_new_privs before. */
export function filterThread(program: Buffer): void {
  install(program, 0);
}

/** Applies a program that stops calls. Returns the descriptor from which the calls are read. */
export function listenToThread(program: Buffer): number {
  return install(program, NEW_LISTENER | WAIT_KILLABLE_RECV);
}

function install(program: Buffer, flags: number): number {
  const header = Buffer.alloc(16);
  header.writeUInt16LE(program.length / INSTRUCTION_BYTES, 0);
  header.writeBigUInt64LE(addressOf(program), 8);
  const result = libc.seccomp(callNumber("seccomp", process.arch), SECCOMP_SET_MODE_FILTER, flags, header);
  if (result >= 0) return result;
  const reason = errnoName(errno());
  throw new LimpetError("SANDBOX_UNAVAILABLE", `System calls could not be filtered (${reason}). Run limpet doctor.`);
}

const CAPABILITY_VERSION_3 = 0x20080522;

/** Drops all capabilities of the calling thread. With them, root could leave a sandbox. */
export function dropCapabilities(): void {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(CAPABILITY_VERSION_3, 0);
  if (libc.capset(callNumber("capset", process.arch), header, Buffer.alloc(24)) === 0) return;
  const reason = errnoName(errno());
  throw new LimpetError("SANDBOX_UNAVAILABLE", `Capabilities could not be dropped (${reason}). Run limpet doctor.`);
}

const PR_SET_DUMPABLE = 4;

/**
 * Protects this process from other processes without capabilities: they can neither trace it nor read its memory,
 * variables and descriptors. The process leaves no core dump. Programs that it starts are not affected.
 */
export function hideMemory(): void {
  if (libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) === 0) return;
  const reason = errnoName(errno());
  throw new LimpetError(
    "SANDBOX_UNAVAILABLE",
    `The memory of this process could not be protected (${reason}). Run limpet doctor.`,
  );
}
