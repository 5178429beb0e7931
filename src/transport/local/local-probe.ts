/** A probe that asks the kernel of this machine about a program. */

import { TERMINAL_DRAIN_BYTES } from "../../base/limits.ts";
import { type ListeningPort, listListening } from "../../linux/files/list-listening.ts";
import { openingFile } from "../../linux/files/opening-file.ts";
import { errno, errnoName, libc } from "../../linux/libc.ts";
import { freeOwnLock } from "../../linux/processes/free-own-lock.ts";
import { markProcesses, type ProcessMark } from "../../linux/processes/process-mark.ts";
import type { ProcessTree } from "../../linux/processes/process-tree.ts";
import { readProcess } from "../../linux/processes/processes.ts";
import { type Activity, readActivity } from "../../linux/processes/read-activity.ts";
import { countEndedJobs } from "../../probe/count-ended-jobs.ts";
import { foregroundProgram } from "../../probe/foreground-program.ts";
import { observeTerminal, type TerminalObservation } from "../../probe/observe-terminal.ts";
import { findRivals, type Rival } from "../../probe/readers/find-rivals.ts";
import { ReadersElsewhere } from "../../probe/readers/readers-elsewhere.ts";
import { detachedFrom, holdsTerminal } from "../../pty/detached-from.ts";
import { hasUnreadInput, readForegroundGroup, readTerminalMode, type TerminalMode } from "../../pty/terminal-mode.ts";
import { discardUnread, readSignalKeys, type UnreadInput } from "../../pty/typed-input.ts";
import { EchoSwitch, giveBackInput, type TerminalEnds, takeInput, typeUnseen } from "../../pty/unseen-typing.ts";
import type { Probe, RunningProcess } from "../probe.ts";
import type { Wiring } from "./wiring.ts";

interface ProbeParts {
  readonly pid: number;
  readonly tree: ProcessTree;
  readonly wiring: Wiring;
  readonly delivery: Delivery;
  readonly contained?: (() => number | undefined) | undefined;
}

/** How the program's output is delivered to its reader. */
interface Delivery {
  isPaused(): boolean;
  hasExited(): boolean;
  /** Delivers the output that the kernel holds. Default: as much as may be there at an exit. */
  drain(mostBytes?: number): void;
}

export class LocalProbe implements Probe {
  readonly #pid: number;
  readonly #tree: ProcessTree;
  readonly #wiring: Wiring;
  readonly #delivery: Delivery;
  readonly #elsewhere: ReadersElsewhere;
  readonly #echo = new EchoSwitch();

  constructor({ pid, tree, wiring, delivery, contained }: ProbeParts) {
    this.#elsewhere = new ReadersElsewhere(contained);
    this.#pid = pid;
    this.#tree = tree;
    this.#wiring = wiring;
    this.#delivery = delivery;
  }

  terminalMode(): TerminalMode | undefined {
    const { master } = this.#wiring;
    return master === undefined ? undefined : readTerminalMode(master);
  }

  observe(): TerminalObservation | undefined {
    const { master, slave, stdio } = this.#wiring;
    if (master === undefined || slave === undefined || stdio.kind !== "terminal") return undefined;
    const terminal = { program: this.#pid, master, slave, path: stdio.path, elsewhere: this.#elsewhere };
    // While the program is paused, its reader has no room for more output.
    if (this.#delivery.isPaused()) return observeTerminal(terminal);
    this.#delivery.drain(TERMINAL_DRAIN_BYTES);
    const observation = observeTerminal(terminal);
    // Everything the program wrote before it started to wait is in the kernel by now.
    this.#delivery.drain(TERMINAL_DRAIN_BYTES);
    return observation;
  }

  async searchReaders({ maxAgeMs }: { readonly maxAgeMs?: number } = {}): Promise<void> {
    const { stdio } = this.#wiring;
    if (stdio.kind === "terminal") await this.#elsewhere.search(stdio.path, maxAgeMs);
  }

  rivals(): readonly Rival[] {
    const { stdio } = this.#wiring;
    return stdio.kind === "terminal" ? findRivals(this.#elsewhere.strangers, stdio.path) : [];
  }

  activityOf(pid: number): Activity {
    return readActivity(pid);
  }

  hasUnreadInput(): boolean {
    const { slave } = this.#wiring;
    return slave !== undefined && hasUnreadInput(slave);
  }

  unreadInput(): UnreadInput {
    return this.#wiring.unreadInput();
  }

  discardUnread(): void {
    const { slave } = this.#wiring;
    if (slave !== undefined) discardUnread(slave);
  }

  signalKeys(): readonly number[] {
    const { master } = this.#wiring;
    return master === undefined ? [] : readSignalKeys(master);
  }

  isStopped(): boolean {
    return !this.#delivery.hasExited() && readProcess(this.#pid)?.state === "T";
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
    const { stdio } = this.#wiring;
    if (stdio.kind !== "terminal") return false;
    const detached = detachedFrom(this.#pid, this.#tree.listContained());
    return detached.some(({ pid }) => holdsTerminal(pid, stdio.path));
  }

  isProgramInForeground(): boolean {
    return this.foregroundGroup() === this.#pid;
  }

  foreground(): RunningProcess | undefined {
    const found = foregroundProgram(this.#pid, this.foregroundGroup());
    return found && { pid: found.pid, name: found.name };
  }

  foregroundGroup(): number | undefined {
    const { master } = this.#wiring;
    return master === undefined ? undefined : readForegroundGroup(master);
  }

  isGroupAlive(group: number): boolean {
    // EPERM: a process of another user.
    return libc.kill(-group, 0) === 0 || errnoName(errno()) !== "ESRCH";
  }

  countEndedJobs(pid: number): number | undefined {
    return countEndedJobs(pid);
  }

  typeUnseen(line: Uint8Array): boolean {
    const ends = this.#ends();
    return ends !== undefined && typeUnseen(ends, line);
  }

  hideTyping(): void {
    const ends = this.#ends();
    if (ends) this.#echo.hide(ends);
  }

  showTyping(): void {
    const ends = this.#ends();
    if (ends) this.#echo.show(ends);
  }

  peekInput(): Buffer {
    const ends = this.#ends();
    const taken = ends ? takeInput(ends) : Buffer.alloc(0);
    if (ends && taken.length > 0) giveBackInput(ends, taken);
    return taken;
  }

  drain(): boolean {
    if (!this.#delivery.isPaused()) this.#delivery.drain();
    return true;
  }

  openingFile(): string | undefined {
    return this.#delivery.hasExited() ? undefined : openingFile(this.#pid);
  }

  freeOwnLock(): boolean {
    return !this.#delivery.hasExited() && freeOwnLock(this.#pid);
  }

  #ends(): TerminalEnds | undefined {
    const { master, slave } = this.#wiring;
    return master === undefined || slave === undefined ? undefined : { master, slave };
  }
}
