/**
 * The channel of a program in a container. Output comes through the client of the engine. Information about the program
 * comes from the processes inside.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Exit } from "../../base/exit.ts";
import type { EnforcedLimits, LimitName } from "../../base/session-limits.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { endWithProcess, forget } from "../../linux/end-with-process.ts";
import { readKernelFile } from "../../linux/proc-file.ts";
import type { EndReport } from "../../linux/processes/kill-process-tree.ts";
import type { ProgramTrace } from "../../linux/processes/process-tree.ts";
import { readUsage } from "../../linux/processes/read-usage.ts";
import { Freezer } from "../local/freezer.ts";
import { settleTree } from "../local/settle-tree.ts";
import type { Probe } from "../probe.ts";
import type { Channel, FileRoots, FrozenBy, SignalTarget, Usage } from "../transport.ts";
import type { ContainerClient } from "./container-client.ts";
import { ContainerProbe } from "./container-probe.ts";
import type { InsideGuard } from "./guard-inside.ts";
import type { InnerInput } from "./inner-input.ts";
import type { Inside } from "./inside.ts";
import type { OutputBarrier } from "./output-barrier.ts";

interface ContainerChannelParts {
  /** The client of the engine. */
  readonly client: ContainerClient;
  readonly inside: Inside;
  /** The filter between the output of the client and its reader. */
  readonly barrier: OutputBarrier;
  /** Types directly into the program, without the engine. Undefined: all input goes through the engine. */
  readonly input: InnerInput | undefined;
  readonly limits: EnforcedLimits | undefined;
  /** Released when no process of the session is left. */
  readonly guard: InsideGuard;
  /** Removes the container of the session. Undefined: the session does not have its own container. */
  readonly remove?: (() => Promise<void>) | undefined;
}

/** How long to wait for the client, which ends after its program when it has passed on the last output. */
const CLIENT_PATIENCE_MS = 2_000;

export class ContainerChannel implements Channel {
  readonly pid: number | null;
  readonly exited: Promise<Exit>;
  readonly outputEnded: Promise<void>;
  readonly probe: Probe | undefined;
  readonly limits: EnforcedLimits | undefined;
  readonly fileRoots: FileRoots | undefined;
  readonly usage: (() => Promise<Usage>) | undefined;
  readonly freeze: (() => Promise<FrozenBy>) | undefined;
  readonly thaw: (() => Promise<void>) | undefined;
  readonly #client: Channel;
  readonly #inside: Inside;
  readonly #input: InnerInput | undefined;
  readonly #freezer: Freezer | undefined;
  readonly #guard: InsideGuard;
  readonly #remove: (() => Promise<void>) | undefined;
  #hasExited = false;
  #killAtMs = Number.POSITIVE_INFINITY;
  #closing: Promise<EndReport> | undefined;
  #removing: Promise<void> | undefined;

  constructor({ client, inside, barrier, input, limits, guard, remove }: ContainerChannelParts) {
    this.#client = client.channel;
    this.exited = client.exited;
    this.outputEnded = client.outputEnded.then(() => barrier.end());
    this.#inside = inside;
    this.#input = input;
    this.limits = limits;
    this.#guard = guard;
    this.#remove = remove;
    const { pid, tree } = inside;
    this.pid = pid;
    this.fileRoots = pid === null ? undefined : temporaryInside(pid);
    const freezer = tree && new Freezer(tree);
    this.#freezer = freezer;
    const hasExited = () => this.#hasExited;
    const { probe: outer } = client.channel;
    const observed = pid ?? client.channel.pid;
    this.probe =
      tree && outer && observed !== null
        ? new ContainerProbe({ outer, pid: observed, tree, barrier, input, hasExited })
        : undefined;
    this.usage = tree && (() => readUsage(tree));
    this.freeze = freezer && (() => freezer.freeze());
    this.thaw = freezer && (async () => freezer.thaw());
    void client.exited.then(() => {
      this.#hasExited = true;
      input?.end();
      tree?.programReaped();
    });
    if (tree) endWithProcess(tree);
    void this.#settle().then(async () => {
      // What still runs in a container with another kernel is not known, so it exists until the session is closed.
      if (remove && !tree) return;
      await this.#removeOnce().catch(() => undefined);
      guard.release();
    });
  }

  /**
   * Resolves when the program has ended, and also the processes that it started, if they are visible on this machine.
   */
  async #settle(): Promise<void> {
    const { tree } = this.#inside;
    const over = Promise.all([this.exited, this.outputEnded]);
    if (tree) await settleTree(tree, over);
    else await over;
  }

  async #removeOnce(): Promise<void> {
    this.#removing ??= this.#remove?.();
    await this.#removing;
  }

  get trace(): ProgramTrace | undefined {
    return this.#client.trace;
  }

  limitHits(): readonly LimitName[] {
    return [];
  }

  write(bytes: Uint8Array, onTaken?: (count: number) => void): Promise<number> {
    return this.#input ? this.#input.writer.write(bytes, onTaken) : this.#client.write(bytes, onTaken);
  }

  stopWrite(): void {
    this.#input?.writer.stop();
    this.#client.stopWrite();
  }

  /** The program sees the end of its input when the engine has also closed its end of the pipe. */
  endInput(): void {
    if (this.#input?.isTerminal === false) this.#input.end();
    this.#client.endInput();
  }

  resize(size: TerminalSize): void {
    this.#input?.resize(size);
    this.#client.resize(size);
  }

  async signal(name: NodeJS.Signals, target: SignalTarget): Promise<boolean> {
    return await this.#inside.signal(name, target, this.#hasExited);
  }

  pause(): void {
    this.#client.pause();
  }

  resume(): void {
    this.#client.resume();
  }

  close({ graceMs, firstSignal }: Parameters<Channel["close"]>[0]): Promise<EndReport> {
    this.#killAtMs = Math.min(this.#killAtMs, performance.now() + graceMs);
    // A frozen program cannot handle a signal.
    this.#freezer?.thaw();
    this.#closing ??= this.#close(firstSignal);
    return this.#closing;
  }

  async #close(firstSignal: Parameters<Channel["close"]>[0]["firstSignal"]): Promise<EndReport> {
    const { tree } = this.#inside;
    const report = await this.#inside.end({ killAtMs: () => this.#killAtMs, firstSignal });
    await Promise.race([this.exited, sleep(CLIENT_PATIENCE_MS, undefined, { ref: false })]);
    const client = await this.#client.close({ graceMs: 0 });
    if (tree) {
      forget(tree);
      await tree.release();
    }
    await this.#removeOnce();
    this.#guard.release();
    if (!this.#remove) return { ...report, left: [...report.left, ...client.left] };
    return { ended: report.ended, by: "container", left: client.left };
  }
}

/** The temporary directory of the container, which limpet reaches through /proc of the program. */
function temporaryInside(pid: number): FileRoots {
  const path = `/proc/${pid}/root/tmp`;
  const status = readKernelFile(`/proc/${pid}/status`) ?? "";
  const idOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  const [uid, gid] = [idOf("Uid"), idOf("Gid")];
  return {
    readable: path,
    writable: path,
    seenAs: "/tmp",
    ...(uid === process.geteuid?.() ? {} : { owner: { uid, gid } }),
  };
}
