/**
 * Frees memory after large lists. A list of thousands of sessions leaves tens of megabytes of garbage, which Node
 * collects only after several lists.
 */
import { setFlagsFromString } from "node:v8";
import { giveBackMemory } from "../../linux/give-back-memory.ts";

/** A collection pauses the process. Shorter lists leave too little garbage to be worth it. */
const LARGE = 2_000;
/** After the end of a list, so that its answer has been sent. */
const REST_MS = 200;

export class ListMemory {
  #timer: NodeJS.Timeout | undefined;

  /** Call before a list. Frees the memory of the list before it, if that has not happened yet. */
  begin(): void {
    if (this.#timer) this.#giveBack();
  }

  /** Call after a list, with the number of its sessions. */
  end(sessions: number): void {
    if (sessions < LARGE) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveBack(), REST_MS).unref();
  }

  #giveBack(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    giveBackMemory();
  }
}

/**
 * Stops V8 from enlarging its space for new objects. A large list would enlarge it permanently by 30 MB. Only for a
 * process that is a door: other processes are faster with a larger space.
 */
export function keepNewSpaceSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
