/** Stops all processes of a program, and lets them go on. */
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type ProcessTree, signalProcess } from "../../linux/processes/process-tree.ts";
import type { ProcessEntry } from "../../linux/processes/processes.ts";
import { moveUnderWay } from "../../pty/standby-group.ts";
import type { FrozenBy } from "../transport.ts";

/** A process may start others while the signal is on its way. */
const ROUNDS = 20;
const ROUND_MS = 5;

export class Freezer {
  readonly #tree: ProcessTree;
  #by: FrozenBy | undefined;
  /** Those that this freezer has stopped: others were stopped before, and stay so. */
  #stopped = new Map<number, ProcessEntry>();

  constructor(tree: ProcessTree) {
    this.#tree = tree;
  }

  get isFrozen(): boolean {
    return this.#by !== undefined;
  }

  async freeze(): Promise<FrozenBy> {
    if (this.#by !== undefined) return this.#by;
    // This process may be on its way out of the group.
    if (this.#tree.group) await moveUnderWay();
    this.#by = this.#tree.group?.freeze(true) ? "cgroup" : "signals";
    if (this.#by === "signals") await this.#stopAll();
    return this.#by;
  }

  /** Synchronous, so that a close loses no time. */
  thaw(): void {
    if (this.#by === "cgroup") this.#tree.group?.freeze(false);
    for (const entry of this.#stopped.values()) signalProcess(entry, constants.signals.SIGCONT);
    this.#stopped.clear();
    this.#by = undefined;
  }

  /** Until a listing shows nothing that runs. */
  async #stopAll(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const alive = await this.#tree.list();
      const running = alive.filter(({ state, pid }) => state !== "T" && !this.#stopped.has(pid));
      if (running.length === 0) return;
      for (const entry of running) {
        this.#stopped.set(entry.pid, entry);
        signalProcess(entry, constants.signals.SIGSTOP);
      }
      await sleep(ROUND_MS);
    }
  }
}
