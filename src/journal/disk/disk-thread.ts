/**
 * A disk with a thread of its own. A job of several steps costs the event loop one message and one answer; with Node's
 * pool, each step is a round trip, and a session takes some fifteen.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type Deferred, deferred } from "../../base/deferred.ts";
import { type Disk, type DiskJob, pooledDisk } from "./disk.ts";
import type { DiskAnswer, NumberedJob } from "./disk-worker.ts";

class DiskThread implements Disk {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Deferred<void>>();
  #number = 0;

  constructor(program: string) {
    this.#worker = new Worker(program, { execArgv: [] });
    this.#worker.on("message", (answer: DiskAnswer) => this.#settle(answer));
    this.#worker.once("error", (error) => this.#fail(error));
    this.#worker.once("exit", () => this.#fail(new Error("The thread of the disk has ended.")));
    // Only jobs that are under way keep the process alive.
    this.#worker.unref();
  }

  run(job: DiskJob): Promise<void> {
    this.#number += 1;
    const done = deferred<void>();
    if (this.#pending.size === 0) this.#worker.ref();
    this.#pending.set(this.#number, done);
    this.#worker.postMessage({ number: this.#number, job } satisfies NumberedJob, transferable(job));
    return done.promise;
  }

  #settle({ number, error }: DiskAnswer): void {
    const done = this.#pending.get(number);
    this.#pending.delete(number);
    if (this.#pending.size === 0) this.#worker.unref();
    if (error) done?.reject(Object.assign(new Error(error.message), { code: error.code }));
    else done?.resolve();
  }

  #fail(error: Error): void {
    for (const done of this.#pending.values()) done.reject(error);
    this.#pending.clear();
  }
}

/** Bytes that have memory of their own are handed over without a copy. */
function transferable(job: DiskJob): ArrayBuffer[] {
  if (job.kind !== "append") return [];
  const { buffer, byteLength } = job.bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/** A thread, or Node's pool where the program of the thread is not there: in a copy that was not built. */
export function openDisk(): Disk {
  const places = ["./disk-worker.js", "../bin/disk-worker.js", "../../../dist/bin/disk-worker.js"];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  return found === undefined ? pooledDisk : new DiskThread(found);
}
