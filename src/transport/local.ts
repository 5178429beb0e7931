/** Programs on this machine, in a terminal or on plain pipes. */
import { constants } from "node:os";
import { deferred } from "../base/deferred.ts";
import { type EndReport, endTree } from "../pty/end-tree.ts";
import { libc } from "../pty/libc.ts";
import { resizePty, type TerminalSize } from "../pty/open-pty.ts";
import { ProcessTree, signalProcess } from "../pty/process-tree.ts";
import { MARK_VARIABLE } from "../pty/processes.ts";
import { type Exit, listenForExits, watchExit } from "../pty/reap.ts";
import { type Started, startInGroup } from "../pty/session-groups.ts";
import { spawnProgram } from "../pty/spawn.ts";
import { readForegroundGroup, readTerminalMode, type TerminalMode } from "../pty/terminal-mode.ts";
import { endWithProcess, forget } from "./end-with-process.ts";
import type { FdReader } from "./fd-reader.ts";
import { PipeWiring } from "./pipe-wiring.ts";
import { TerminalWiring } from "./terminal-wiring.ts";
import type { Channel, ChannelOptions, SignalTarget, Transport } from "./transport.ts";
import type { Wiring } from "./wiring.ts";

export const localTransport: Transport = {
  // Async, so that what prevents a start rejects instead of throwing.
  async open(options) {
    return openLocal(options);
  },
};

function openLocal(options: ChannelOptions): Channel {
  listenForExits();
  const wiring = options.tty ? new TerminalWiring(options.size) : new PipeWiring();
  let started: Started | undefined;
  try {
    started = startInGroup(() => spawnProgram(options, wiring.stdio));
    return new LocalChannel(started, wiring, options);
  } catch (error) {
    if (started) libc.kill(-started.pid, constants.signals.SIGKILL);
    wiring.abandon();
    throw error;
  }
}

class LocalChannel implements Channel {
  readonly pid: number;
  readonly #wiring: Wiring;
  readonly #readers: readonly FdReader[];
  readonly #tree: ProcessTree;
  readonly #exited = deferred<Exit>();
  readonly #outputEnded = deferred<void>();
  #hasExited = false;
  #killAtMs = Number.POSITIVE_INFINITY;
  #closing: Promise<EndReport> | undefined;

  constructor({ pid, group }: Started, wiring: Wiring, options: ChannelOptions) {
    this.pid = pid;
    this.#wiring = wiring;
    watchExit(pid, (exit) => this.#onExit(exit));
    this.#tree = new ProcessTree({ pid, mark: options.env[MARK_VARIABLE], group });
    this.#readers = wiring.start(
      (bytes, origin) => {
        wiring.writer.nudge();
        options.onOutput(bytes, origin);
      },
      () => this.#outputEnded.resolve(),
    );
    endWithProcess(this);
    void this.#settle();
  }

  get exited(): Promise<Exit> {
    return this.#exited.promise;
  }

  get outputEnded(): Promise<void> {
    return this.#outputEnded.promise;
  }

  write(bytes: Uint8Array): Promise<number> {
    return this.#wiring.writer.write(bytes);
  }

  endInput(): void {
    this.#wiring.endInput();
  }

  terminalMode(): TerminalMode | undefined {
    const { master } = this.#wiring;
    return master === undefined ? undefined : readTerminalMode(master);
  }

  resize(size: TerminalSize): void {
    const { master } = this.#wiring;
    if (master !== undefined) resizePty(master, size);
  }

  async signal(name: NodeJS.Signals, target: SignalTarget): Promise<boolean> {
    const number = constants.signals[name];
    if (target === "tree") {
      const alive = await this.#tree.list();
      for (const entry of alive) signalProcess(entry, number);
      return alive.length > 0;
    }
    if (target === "program") return !this.#hasExited && libc.kill(this.pid, number) === 0;
    const group = await this.#foregroundGroup();
    return group !== undefined && libc.kill(-group, number) === 0;
  }

  pause(): void {
    for (const reader of this.#readers) reader.pause();
  }

  resume(): void {
    for (const reader of this.#readers) reader.resume();
  }

  close({ graceMs }: { readonly graceMs: number }): Promise<EndReport> {
    this.#killAtMs = Math.min(this.#killAtMs, performance.now() + graceMs);
    this.#closing ??= this.#close();
    return this.#closing;
  }

  closeNow(): void {
    this.#tree.killNow();
  }

  async #close(): Promise<EndReport> {
    const report = await endTree(this.#tree, () => this.#killAtMs);
    const isProgramLeft = report.left.some(({ pid }) => pid === this.pid);
    if (!isProgramLeft) await this.exited;
    for (const reader of this.#readers) {
      reader.drain();
      reader.close();
    }
    this.#wiring.programEnded();
    this.#wiring.writer.end();
    forget(this);
    await this.#tree.release();
    return report;
  }

  /** When all is over and nothing was left running, nobody needs to close us. */
  async #settle(): Promise<void> {
    await Promise.all([this.exited, this.outputEnded]);
    if ((await this.#tree.list()).length > 0) return;
    forget(this);
    await this.#tree.release();
  }

  /** What the program wrote last may still be in the kernel: it is taken before anyone hears of the exit. */
  #onExit(exit: Exit): void {
    this.#hasExited = true;
    this.#tree.programReaped();
    for (const reader of this.#readers) reader.drain();
    this.#wiring.programEnded();
    this.#exited.resolve(exit);
  }

  /** Once the program is gone, the number that the terminal still names may belong to somebody else. */
  async #foregroundGroup(): Promise<number | undefined> {
    const { master } = this.#wiring;
    const group = master === undefined ? this.pid : readForegroundGroup(master);
    if (!this.#hasExited) return group;
    const alive = await this.#tree.list();
    return alive.some((entry) => entry.group === group) ? group : undefined;
  }
}
