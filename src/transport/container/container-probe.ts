/**
 * A probe for a program in a container on this machine. The client of the engine runs in the terminal that limpet
 * opened. The program has another terminal inside the container. Waiting for input is detected with both terminals. All
 * other information comes from the program and its inner terminal.
 */
import { type ListeningPort, listListening } from "../../linux/files/list-listening.ts";
import { terminalPath } from "../../linux/files/open-file.ts";
import { openingFile } from "../../linux/files/opening-file.ts";
import { errno, errnoName, libc } from "../../linux/libc.ts";
import { countRuns } from "../../linux/processes/count-runs.ts";
import { freeOwnLock } from "../../linux/processes/free-own-lock.ts";
import { markProcesses, type ProcessMark } from "../../linux/processes/process-mark.ts";
import type { ProcessTree } from "../../linux/processes/process-tree.ts";
import { listProcessesNow, readMarkedProcess, readProcess, readThreads } from "../../linux/processes/processes.ts";
import { type Activity, readActivity } from "../../linux/processes/read-activity.ts";
import { countEndedJobs } from "../../probe/count-ended-jobs.ts";
import { foregroundProgram } from "../../probe/foreground-program.ts";
import type { TerminalObservation } from "../../probe/observe-terminal.ts";
import type { Rival } from "../../probe/readers/find-rivals.ts";
import { detachedFrom, holdsTerminal } from "../../pty/detached-from.ts";
import { hasUnreadInput, readTerminalMode, type TerminalMode } from "../../pty/terminal-mode.ts";
import { discardUnread, readSignalKeys, type UnreadInput, unreadInTerminal } from "../../pty/typed-input.ts";
import { EchoSwitch, giveBackInput, type TerminalEnds, takeInput, typeUnseen } from "../../pty/unseen-typing.ts";
import { withTerminalAt } from "../../pty/with-terminal-at.ts";
import type { Probe, RunningProcess } from "../probe.ts";
import { withInnerEnds } from "./inner-ends.ts";
import type { InnerInput } from "./inner-input.ts";
import type { OutputBarrier } from "./output-barrier.ts";

/** How many other threads to try. If the main thread has ended, the terminal is reachable only through another one. */
const MOST_THREADS = 8;
const NOTHING: UnreadInput = { bytes: 0, isExact: true };

export interface ContainerProbeParts {
  /** The probe of the client, which runs in a terminal on this machine. */
  readonly outer: Probe;
  /** The pid of the program on this machine. */
  readonly pid: number;
  readonly tree: ProcessTree;
  readonly barrier: OutputBarrier;
  /** Undefined: all input goes through the engine. */
  readonly input: InnerInput | undefined;
  readonly hasExited: () => boolean;
}

export class ContainerProbe implements Probe {
  readonly #outer: Probe;
  readonly #pid: number;
  readonly #tree: ProcessTree;
  readonly #barrier: OutputBarrier;
  readonly #input: InnerInput | undefined;
  readonly #hasExited: () => boolean;
  readonly #echo = new EchoSwitch();

  constructor({ outer, pid, tree, barrier, input, hasExited }: ContainerProbeParts) {
    this.#outer = outer;
    this.#pid = pid;
    this.#tree = tree;
    this.#barrier = barrier;
    this.#input = input;
    this.#hasExited = hasExited;
  }

  terminalMode(): TerminalMode | undefined {
    return this.#inTerminal(readTerminalMode) ?? this.#outer.terminalMode();
  }

  observe(): TerminalObservation | undefined {
    const observation = this.#outer.observe();
    if (typeof observation?.reader !== "object" || observation.reader.isContained !== true) return observation;
    const { pid, runs, relayInside = "" } = observation.reader;
    // Once the output has arrived, the state of the engine's client does not matter.
    const reader = { ...observation.reader, relay: `container ${relayInside}` };
    return { ...observation, reader, isArriving: !this.#hasArrived(`${pid} ${runs}`) };
  }

  async searchReaders(options?: { readonly maxAgeMs?: number }): Promise<void> {
    await this.#outer.searchReaders(options);
  }

  rivals(): readonly Rival[] {
    return [];
  }

  activityOf(pid: number): Activity {
    return readActivity(pid);
  }

  hasUnreadInput(): boolean {
    return this.#outer.hasUnreadInput() || (this.#inTerminal(hasUnreadInput) ?? false);
  }

  unreadInput(): UnreadInput {
    if (this.#input?.isTerminal === false) return this.#input.unreadInPipe();
    if (this.#input) return this.#inTerminal(unreadInTerminal) ?? NOTHING;
    // Input that is still inside the engine is not counted.
    return { bytes: this.#outer.unreadInput().bytes, isExact: false };
  }

  discardUnread(): void {
    this.#outer.discardUnread();
    this.#inTerminal(discardUnread);
  }

  signalKeys(): readonly number[] {
    return this.#inTerminal(readSignalKeys) ?? [];
  }

  isStopped(): boolean {
    return !this.#hasExited() && readProcess(this.#pid)?.state === "T";
  }

  async listening(): Promise<readonly ListeningPort[]> {
    return await listListening((await this.#tree.list()).map(({ pid }) => pid));
  }

  async running(): Promise<readonly RunningProcess[]> {
    return (await this.#tree.list()).map(({ pid, name }) => ({ pid, name }));
  }

  markProcesses(): ProcessMark {
    return markProcesses(this.#pid);
  }

  hasDetached(): boolean {
    const own = readMarkedProcess(this.#pid);
    const path = own && terminalPath(own.terminal);
    if (own?.mark === undefined || path === undefined) return false;
    const marked = listProcessesNow().filter(({ mark }) => mark === own.mark);
    return detachedFrom(this.#pid, marked).some(({ pid }) => holdsTerminal(pid, path));
  }

  isProgramInForeground(): boolean {
    return this.foregroundGroup() === readProcess(this.#pid)?.group;
  }

  foreground(): RunningProcess | undefined {
    const found = foregroundProgram(this.#pid, this.foregroundGroup());
    return found && { pid: found.pid, name: found.name };
  }

  foregroundGroup(): number | undefined {
    const group = readProcess(this.#pid)?.foregroundGroup ?? -1;
    return group > 0 ? group : undefined;
  }

  isGroupAlive(group: number): boolean {
    // EPERM: a process of another user.
    return libc.kill(-group, 0) === 0 || errnoName(errno()) !== "ESRCH";
  }

  countEndedJobs(pid: number): number | undefined {
    return countEndedJobs(pid);
  }

  /** Types directly into the terminal. Input through the engine would arrive later. */
  typeUnseen(line: Uint8Array): boolean {
    return withInnerEnds(this.#pid, (ends) => typeUnseen(ends, line)) ?? false;
  }

  hideTyping(): void {
    withInnerEnds(this.#pid, (ends) => this.#echo.hide(ends));
  }

  showTyping(): void {
    withInnerEnds(this.#pid, (ends) => this.#echo.show(ends));
  }

  peekInput(): Buffer {
    const peek = (ends: TerminalEnds) => {
      const taken = takeInput(ends);
      if (taken.length > 0) giveBackInput(ends, taken);
      return taken;
    };
    return withInnerEnds(this.#pid, peek) ?? Buffer.alloc(0);
  }

  drain(): boolean {
    this.#outer.drain();
    return this.#hasArrived(`${this.#pid} ${this.#pid} ${countRuns(this.#pid, this.#pid)}`);
  }

  openingFile(): string | undefined {
    return this.#hasExited() ? undefined : openingFile(this.#pid);
  }

  freeOwnLock(): boolean {
    return !this.#hasExited() && freeOwnLock(this.#pid);
  }

  /** Whether all output from before `moment` has arrived. */
  #hasArrived(moment: string): boolean {
    return this.#barrier.hasPassed(moment, (bytes) =>
      this.#inTerminal((terminal) => libc.write(terminal, bytes, bytes.length)),
    );
  }

  /** Undefined if the program has no terminal, or if the terminal cannot be opened. */
  #inTerminal<T>(ask: (file: number) => T): T | undefined {
    const path = terminalPath(readProcess(this.#pid)?.terminal ?? 0);
    if (path === undefined) return undefined;
    for (const thread of [this.#pid, ...readThreads(this.#pid).slice(0, MOST_THREADS)]) {
      const answer = withTerminalAt(`/proc/${this.#pid}/task/${thread}/root${path}`, ask);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }
}
