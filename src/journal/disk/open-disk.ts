/**
 * A disk with its own thread. A job of several steps costs the event loop one message and one answer. With Node's pool
 * each step is a round trip, and a session needs about fifteen.
 */
import { Worker } from "node:worker_threads";
import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { builtFile } from "../../base/built-file.ts";
import { type Disk, type DiskJob, pooledDisk } from "./disk.ts";
import type { DiskAnswer, NumberedJob } from "./disk-worker.ts";

/** Bytes up to this length are copied into their message. */
const SMALL_BYTES = 16 * 1024;
/** Longer than a batch of a journal with its headers. Memory that is never written costs nothing. */
const ROOM_BYTES = 1280 * 1024;
const MAX_ROOMS = 4;

interface Pending extends Deferred<void> {
  /** The shared memory that its bytes are in. */
  readonly room?: SharedArrayBuffer | undefined;
}

class DiskThread implements Disk {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  /** Reused buffers. Transferred memory would become garbage in the thread, and a flood would leave much of it. */
  readonly #rooms: SharedArrayBuffer[] = [];
  #number = 0;

  constructor(program: string) {
    this.#worker = new Worker(program, { execArgv: [] });
    this.#worker.on("message", (answer: DiskAnswer) => this.#settle(answer));
    this.#worker.once("error", (error) => this.#fail(error));
    this.#worker.once("exit", () => this.#fail(new Error("The thread of the disk has ended.")));
    // Only jobs in progress keep the process alive.
    this.#worker.unref();
  }

  run(job: DiskJob): Promise<void> {
    this.#number += 1;
    const room = this.#roomFor(job);
    const pending: Pending = { ...deferred<void>(), room };
    if (this.#pending.size === 0) this.#worker.ref();
    this.#pending.set(this.#number, pending);
    const given = room && job.kind === "append" ? { ...job, bytes: copyInto(room, job.bytes) } : job;
    this.#worker.postMessage({ number: this.#number, job: given } satisfies NumberedJob);
    return pending.promise;
  }

  #roomFor(job: DiskJob): SharedArrayBuffer | undefined {
    const bytes = job.kind === "append" ? job.bytes.length : 0;
    if (bytes <= SMALL_BYTES || bytes > ROOM_BYTES) return undefined;
    return this.#rooms.pop() ?? new SharedArrayBuffer(ROOM_BYTES);
  }

  #settle({ number, error }: DiskAnswer): void {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    if (pending?.room && this.#rooms.length < MAX_ROOMS) this.#rooms.push(pending.room);
    if (this.#pending.size === 0) this.#worker.unref();
    if (error) pending?.reject(Object.assign(new Error(error.message), { code: error.code }));
    else pending?.resolve();
  }

  #fail(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

function copyInto(room: SharedArrayBuffer, bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(room, 0, bytes.length);
  copy.set(bytes);
  return copy;
}

/** A thread, or Node's pool if the file of the thread does not exist, as in a source tree that was not built. */
export function openDisk(): Disk {
  const found = builtFile("bin/disk-worker.js");
  return found === undefined ? pooledDisk : new DiskThread(found);
}
