/**
 * The thread that connects programs in sandboxes to their proxy. The kernel lets these programs connect to nothing: its
 * rules know the ports of hosts, but not the hosts. It stops their attempts to connect instead, and this thread
 * connects the program's own socket to the proxy if that is what the program asked for. It connects to an address of
 * its own, so a program that changes the address in its memory meanwhile gains nothing.
 */
import { closeSync, readSync } from "node:fs";
import { receiveMessageOnPort, workerData } from "node:worker_threads";
import { errno, libc } from "../../../linux/libc.ts";
import { readShortProcFile } from "../../../linux/proc-file.ts";
import { readMemory } from "../../../linux/processes/read-memory.ts";
import {
  answerCall,
  type CallAnswer,
  isStopped,
  nextStoppedCall,
  type StoppedCall,
} from "../../../linux/restrict/stopped-call.ts";
import { withDescriptorOf } from "../../../linux/take-descriptor.ts";
import { waitReadable } from "../../../linux/wait-readable.ts";
import type { ConnectorSetup, StoppedConnects } from "./answer-connects.ts";
import { proxyAddress } from "./proxy-address.ts";

/** The longest wait: then the thread can be ended even if nobody wakes it, because its process is about to end. */
const LOOK_EVERY_MS = 1_000;
/** No address is longer. */
const MAX_ADDRESS_BYTES = 128;
/** One for each message. */
const WAKE_BYTES = 64;

const { wake, port } = workerData as ConnectorSetup;
/** By listener: the port of the proxy. */
const proxies = new Map<number, number>();

try {
  for (let isOver = false; !isOver; ) isOver = !serve();
} finally {
  // Attempts to connect fail then, instead of waiting for ever.
  for (const fd of [wake, ...proxies.keys()]) closeSync(fd);
}

/** False when the other thread has closed its end. */
function serve(): boolean {
  for (const { fd, hasInput } of waitReadable([wake, ...proxies.keys()], LOOK_EVERY_MS)) {
    if (fd === wake && !hasInput) return false;
    if (fd === wake) takeListeners();
    else if (hasInput) answerNext(fd);
    else forget(fd);
  }
  return true;
}

function takeListeners(): void {
  readSync(wake, Buffer.alloc(WAKE_BYTES));
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
    const { listener, proxyPort } = next.message as StoppedConnects;
    proxies.set(listener, proxyPort);
  }
}

/** The last program of the sandbox has ended. */
function forget(listener: number): void {
  proxies.delete(listener);
  closeSync(listener);
}

function answerNext(listener: number): void {
  const call = nextStoppedCall(listener);
  if (call) answerCall(listener, call, connectFor(call, listener));
}

/** Returns `continue` for everything else: then the kernel handles the call, and refuses it. */
function connectFor(call: StoppedCall, listener: number): CallAnswer {
  const [fd = 0n, at = 0n, length = 0n] = call.args;
  const bytes = Number(BigInt.asUintN(32, length));
  if (bytes > MAX_ADDRESS_BYTES) return "continue";
  const address = proxyAddress(readMemory(`/proc/${call.thread}`, at, bytes), proxies.get(listener) ?? 0);
  const process = processOf(call.thread);
  if (!address || process === undefined) return "continue";
  const connected = withDescriptorOf(process, Number(BigInt.asIntN(32, fd)), (socket) => {
    // Otherwise the descriptor may belong to another process that got the same pid.
    if (!isStopped(listener, call)) return "continue";
    return libc.connect(socket, address, address.length) === 0 ? 0 : errno();
  });
  return connected ?? "continue";
}

/** The process that a thread belongs to. */
function processOf(thread: number): number | undefined {
  const found = /^Tgid:\s*(\d+)$/m.exec(readShortProcFile(`/proc/${thread}/status`) ?? "")?.[1];
  return found === undefined ? undefined : Number(found);
}
