/**
 * A restricted thread, and what its programs may use: a few terminals, because the kernel must know their paths before
 * the restriction, and directories. When its terminals are used up, the thread ends. The directories are removed after
 * the last program.
 */
import { closeSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { deferred } from "../../base/async/deferred.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { TemporaryDirectory } from "../../linux/temporary-directory.ts";
import { enterHome } from "../../pty/group-root.ts";
import { openPty, type Pty } from "../../pty/open-pty.ts";
import type { SpawnOptions, Stdio } from "../../pty/spawn-program.ts";
import { listenForExits, watchExit } from "../../pty/watch-exit.ts";
import type { FileRoots } from "../../transport/transport.ts";
import type { BoxOptions, Place } from "./box-options.ts";
import type { BoxDirectory } from "./namespaces/namespaces.ts";
import { type Entrance, startKeeper } from "./namespaces/start-keeper.ts";
import { CALLS, type SpawnAnswer, type SpawnRequest, type WorkerSetup } from "./worker-calls.ts";

/** Starting a program takes about a millisecond. A thread that does not answer by then is broken. */
const PATIENCE_MS = 10_000;
/** Any size: each session sets its own. */
const SIZE = { cols: 80, rows: 24 };

export class Box {
  readonly #directory: BoxDirectory;
  readonly temporary: string;
  readonly fileRoots: FileRoots;
  readonly #terminals: Pty[] = [];
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #calls = new Int32Array(new SharedArrayBuffer(4 * Object.keys(CALLS).length));
  readonly #ready = deferred<void>();
  /** Programs that run, and those of them that are not started yet. */
  readonly #inside = new Set<Place>();
  readonly #starting = new Set<Place>();
  #isRetired = false;
  #isThreadOver = false;
  readonly #entrance: Entrance | undefined;
  readonly #onListener: BoxOptions["onListener"];
  /** Keeps its namespaces open for the programs that it starts. */
  #lifeline: number | undefined;

  constructor({ size, worker, filter, namespaces, restriction, onListener }: BoxOptions) {
    this.#entrance = namespaces?.entrance;
    this.#onListener = onListener;
    this.#directory = namespaces?.makeDirectory() ?? new TemporaryDirectory("sandbox");
    this.temporary = join(this.#directory.path, "tmp");
    this.fileRoots = { readable: join(this.#directory.path, "read"), writable: join(this.#directory.path, "write") };
    try {
      for (const path of [this.#directory.path, this.temporary, ...Object.values(this.fileRoots)])
        mkdirSync(path, { mode: 0o700 });
      for (let made = 0; made < size; made += 1) this.#terminals.push(openPty(SIZE));
    } catch (error) {
      this.#closeTerminals();
      this.#directory.remove();
      throw error;
    }
    const { port1, port2 } = new MessageChannel();
    const setup: WorkerSetup = {
      restriction: restriction({
        terminals: this.#terminals.map(({ path }) => path),
        temporary: this.temporary,
        ...this.fileRoots,
      }),
      filter,
      entrance: namespaces?.entrance,
      isStoppingConnects: onListener !== undefined,
      port: port2,
      calls: this.#calls,
    };
    this.#port = port1;
    this.#worker = new Worker(worker, {
      workerData: setup,
      transferList: [port2],
      execArgv: [],
      // It opens and closes descriptors that Node does not know.
      trackUnmanagedFds: false,
    });
    this.#port.once("message", (answer: SpawnAnswer) => this.#onReady(answer));
    this.#worker.once("error", (cause) => this.#ready.reject(broken(cause)));
    // Nobody may be waiting yet for a box that is made in advance.
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves when the thread is restricted. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** How many more programs it can start. */
  get room(): number {
    return this.#isRetired ? 0 : this.#terminals.length;
  }

  /** Takes room for a program. The caller starts it when the box is ready. */
  enter(): Place {
    const pty = this.#terminals.shift();
    if (!pty) throw new LimpetError("RESOURCE_EXHAUSTED", "This sandbox has no terminal left. Try again.");
    const place: Place = {
      pty,
      spawn: (...request) => {
        try {
          return this.#spawn(...request);
        } finally {
          this.#starting.delete(place);
          this.#tidy();
        }
      },
      leave: () => {
        this.#starting.delete(place);
        this.#inside.delete(place);
        this.#tidy();
      },
    };
    this.#inside.add(place);
    this.#starting.add(place);
    return place;
  }

  /** Takes no more programs from now on. Programs that run are not affected. */
  retire(): void {
    this.#isRetired = true;
    this.#closeTerminals();
    this.#tidy();
  }

  #closeTerminals(): void {
    for (const { master, slave } of this.#terminals.splice(0)) {
      closeSync(master);
      closeSync(slave);
    }
  }

  #spawn({ program, args, cwd, env }: SpawnOptions, stdio: Stdio, group?: number): number {
    return this.#ask({ options: { program, args, cwd, env }, stdio, group, isKeeper: false });
  }

  /** The pid of what was started. */
  #ask(request: SpawnRequest): number {
    const before = Atomics.load(this.#calls, CALLS.answered);
    Atomics.store(this.#calls, CALLS.pid, 0);
    this.#port.postMessage(request);
    Atomics.add(this.#calls, CALLS.asked, 1);
    Atomics.notify(this.#calls, CALLS.asked);
    Atomics.wait(this.#calls, CALLS.answered, before, PATIENCE_MS);
    const pid = Atomics.load(this.#calls, CALLS.pid);
    if (pid > 0) return pid;
    const answer = receiveMessageOnPort(this.#port)?.message as SpawnAnswer | undefined;
    throw answer?.kind === "failed" ? new LimpetError(answer.code, answer.message) : broken(undefined);
  }

  #onReady(answer: SpawnAnswer): void {
    // Until here it keeps this process running, because somebody may wait for it.
    this.#worker.unref();
    this.#port.unref();
    if (answer.kind === "failed") {
      this.#ready.reject(new LimpetError(answer.code, answer.message));
      return;
    }
    const listener = this.#takeListener();
    try {
      if (listener !== undefined) this.#onListener?.(listener);
    } catch (error) {
      if (listener !== undefined) closeSync(listener);
      this.#ready.reject(error);
      return;
    }
    if (!this.#entrance || this.#isThreadOver) this.#ready.resolve();
    else this.#follow(this.#entrance);
  }

  #takeListener(): number | undefined {
    return Atomics.exchange(this.#calls, CALLS.listener, 0) || undefined;
  }

  async #endThread(): Promise<void> {
    this.#port.close();
    await this.#worker.terminate();
    // The box may never have become ready, and then nobody has taken the listener.
    const listener = this.#takeListener();
    if (listener !== undefined) closeSync(listener);
  }

  /** A program of the box can end the process that keeps the namespaces. Then no other program can start here. */
  #follow(entrance: Entrance): void {
    try {
      listenForExits();
      const spawn = (options: SpawnOptions, stdio: Stdio) =>
        this.#ask({ options, stdio, group: undefined, isKeeper: true });
      const { pid, lifeline, ready } = startKeeper(entrance, spawn);
      // In the same turn: this process may be in the control group of its next program, which its children inherit.
      enterHome(pid);
      watchExit(pid, () => this.retire(), { isAwaited: false });
      this.#lifeline = lifeline;
      ready.then(this.#ready.resolve, this.#ready.reject);
    } catch (error) {
      this.#ready.reject(error);
    }
  }

  /** Frees what is no longer needed. */
  #tidy(): void {
    if (this.#terminals.length > 0) return;
    if (this.#starting.size === 0 && !this.#isThreadOver) {
      this.#isThreadOver = true;
      void this.#endThread();
    }
    if (this.#inside.size > 0) return;
    // Not before: a program that was started may not have entered the namespaces yet.
    if (this.#lifeline !== undefined) closeSync(this.#lifeline);
    this.#lifeline = undefined;
    this.#directory.remove();
  }
}

function broken(cause: unknown): LimpetError {
  return new LimpetError("SPAWN_FAILED", "The thread of the sandbox does not answer. Try again.", { cause });
}
