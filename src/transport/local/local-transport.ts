/** Runs programs on this machine, in a terminal or on pipes. */

import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../../base/async/deferred.ts";
import type { Exit } from "../../base/exit.ts";
import type { EnforcedLimits, LimitName } from "../../base/session-limits.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { endWithProcess, forget } from "../../linux/end-with-process.ts";
import { type EndReport, type FirstSignal, killProcessTree } from "../../linux/processes/kill-process-tree.ts";
import { OomWatch } from "../../linux/processes/oom-watch.ts";
import { ProcessTree, type ProgramTrace } from "../../linux/processes/process-tree.ts";
import { MARK_VARIABLE } from "../../linux/processes/processes.ts";
import { readUsage } from "../../linux/processes/read-usage.ts";
import { type Pty, resizePty } from "../../pty/open-pty.ts";
import { spawnProgram } from "../../pty/spawn-program.ts";
import { startInGroup } from "../../pty/start-in-group.ts";
import { listenForExits, watchExit } from "../../pty/watch-exit.ts";
import type {
  Channel,
  ChannelOptions,
  FileRoots,
  FrozenBy,
  OnOutput,
  SignalTarget,
  Transport,
  Usage,
} from "../transport.ts";
import type { FdReader } from "./fd-reader.ts";
import { Freezer } from "./freezer.ts";
import { LocalProbe } from "./local-probe.ts";
import { PipeWiring } from "./pipe-wiring.ts";
import { type Limiter, type LimitPlan, planLimits } from "./plan-limits.ts";
import { sendSignal } from "./send-signal.ts";
import { settleTree } from "./settle-tree.ts";
import { TerminalWiring } from "./terminal-wiring.ts";
import type { Wiring } from "./wiring.ts";

/** Runs programs on this machine, with the rights of this process. The default of `openSession`. */
export const localTransport: Transport = {
  open: (options) => openLocally(options),
};

/** How a program is started on this machine, if not by this thread and in a new terminal. */
export interface LocalStart {
  readonly spawn?: typeof spawnProgram;
  readonly pty?: Pty;
  readonly fileRoots?: FileRoots;
  /** The program in a container that this program, a client of the engine, has started. Default: it is searched for. */
  readonly contained?: () => number | undefined;
}

export async function openLocally(
  options: ChannelOptions,
  { spawn = spawnProgram, pty, fileRoots, contained }: LocalStart = {},
): Promise<Channel> {
  listenForExits();
  const plan = options.limits && planLimits(options, options.limits);
  const wiring = options.tty ? new TerminalWiring(options.size, pty) : new PipeWiring();
  let tree: ProcessTree | undefined;
  let limits: ReturnType<LimitPlan["limit"]> | undefined;
  let channel: LocalChannel;
  try {
    const { pid, group } = await startInGroup((inside) => spawn(plan?.options ?? options, wiring.stdio, inside));
    tree = new ProcessTree({ pid, mark: options.env[MARK_VARIABLE], group });
    limits = plan?.limit(group);
    const { onOutput } = options;
    channel = new LocalChannel({ pid, tree, wiring, limiter: limits?.limiter, onOutput, fileRoots, contained });
  } catch (error) {
    tree?.killNow();
    wiring.abandon();
    throw error;
  }
  try {
    await limits?.ready;
    return channel;
  } catch (error) {
    await channel.close({ graceMs: 0 });
    throw error;
  }
}

interface ChannelParts {
  readonly pid: number;
  readonly tree: ProcessTree;
  readonly wiring: Wiring;
  readonly limiter: Limiter | undefined;
  readonly onOutput: OnOutput;
  readonly fileRoots: FileRoots | undefined;
  readonly contained: LocalStart["contained"];
}

/** How long to wait for the exit report of a killed program. */
const EXIT_PATIENCE_MS = 3_000;

class LocalChannel implements Channel {
  readonly pid: number;
  readonly probe: LocalProbe;
  readonly fileRoots: FileRoots | undefined;
  readonly #wiring: Wiring;
  #readers: readonly FdReader[] = [];
  readonly #tree: ProcessTree;
  readonly #exited = deferred<Exit>();
  readonly #outputEnded = deferred<void>();
  readonly #memory = new OomWatch();
  readonly #limiter: Limiter | undefined;
  readonly #freezer: Freezer;
  #hasExited = false;
  #isPaused = false;
  #killAtMs = Number.POSITIVE_INFINITY;
  #closing: Promise<EndReport> | undefined;

  constructor({ pid, tree, wiring, limiter, onOutput, fileRoots, contained }: ChannelParts) {
    this.pid = pid;
    this.fileRoots = fileRoots;
    this.#limiter = limiter;
    this.#freezer = new Freezer(tree);
    this.#tree = tree;
    this.#wiring = wiring;
    const delivery = {
      isPaused: () => this.#isPaused,
      hasExited: () => this.#hasExited,
      drain: (mostBytes?: number) => this.#drain(mostBytes),
    };
    this.probe = new LocalProbe({ pid, tree, wiring, delivery, contained });
    watchExit(pid, (exit) => this.#onExit(exit));
    this.#readers = wiring.start(
      (bytes, origin) => {
        wiring.writer.nudge();
        onOutput(bytes, origin);
      },
      () => this.#outputEnded.resolve(),
    );
    // Registers the tree, not this channel: leftover processes may run for a long time and must not keep all output in
    // memory.
    endWithProcess(tree);
    void settleTree(tree, Promise.all([this.exited, this.outputEnded]));
  }

  get trace(): ProgramTrace | undefined {
    return this.#tree.trace;
  }

  get exited(): Promise<Exit> {
    return this.#exited.promise;
  }

  get outputEnded(): Promise<void> {
    return this.#outputEnded.promise;
  }

  get limits(): EnforcedLimits | undefined {
    return this.#limiter?.enforced;
  }

  limitHits(): readonly LimitName[] {
    return this.#limiter?.hits() ?? [];
  }

  usage(): Promise<Usage> {
    return readUsage(this.#tree);
  }

  freeze(): Promise<FrozenBy> {
    return this.#freezer.freeze();
  }

  async thaw(): Promise<void> {
    this.#freezer.thaw();
  }

  write(bytes: Uint8Array, onTaken?: (count: number) => void): Promise<number> {
    return this.#wiring.writer.write(bytes, onTaken);
  }

  stopWrite(): void {
    this.#wiring.writer.stop();
  }

  endInput(): void {
    this.#wiring.endInput();
  }

  resize(size: TerminalSize): void {
    const { master } = this.#wiring;
    if (master !== undefined) resizePty(master, size);
  }

  signal(name: NodeJS.Signals, target: SignalTarget): Promise<boolean> {
    const { master } = this.#wiring;
    const rivals = () => this.probe.rivals().filter(({ isReading }) => isReading);
    return sendSignal(name, target, { pid: this.pid, tree: this.#tree, master, hasExited: this.#hasExited, rivals });
  }

  pause(): void {
    this.#isPaused = true;
    for (const reader of this.#readers) reader.pause();
  }

  resume(): void {
    this.#isPaused = false;
    for (const reader of this.#readers) reader.resume();
  }

  close({ graceMs, firstSignal }: Parameters<Channel["close"]>[0]): Promise<EndReport> {
    this.#killAtMs = Math.min(this.#killAtMs, performance.now() + graceMs);
    // A frozen program handles no signal.
    this.#freezer.thaw();
    this.#closing ??= this.#close(firstSignal);
    return this.#closing;
  }

  async #close(firstSignal: FirstSignal | undefined): Promise<EndReport> {
    const report = await killProcessTree(this.#tree, () => this.#killAtMs, firstSignal);
    await Promise.race([this.exited, sleep(EXIT_PATIENCE_MS, undefined, { ref: false })]);
    this.#drain();
    for (const reader of this.#readers) reader.close();
    this.#wiring.programEnded();
    this.#wiring.writer.end();
    forget(this.#tree);
    await this.#tree.release();
    return report;
  }

  #drain(mostBytes?: number): void {
    for (const reader of this.#readers) reader.drain(mostBytes);
  }

  /** The last output may still be in the kernel, so it is delivered before the exit is reported. */
  #onExit(exit: Exit): void {
    this.#hasExited = true;
    this.#tree.programReaped();
    this.#drain();
    this.#wiring.programEnded();
    // Whatever `close` has killed, it was not the kernel.
    this.#exited.resolve(this.#closing ? exit : this.#explain(exit));
  }

  #explain(exit: Exit): Exit {
    const limited = this.#limiter?.explain(exit) ?? exit;
    return limited === exit ? this.#memory.explain(exit) : limited;
  }
}
