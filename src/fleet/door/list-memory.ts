/**
 * The memory of a door that lists thousands of sessions: each list leaves tens of megabytes behind, which Node would
 * collect only after several of them.
 */
import { setFlagsFromString } from "node:v8";
import { giveBackMemory } from "../../linux/give-back-memory.ts";

/** What fewer sessions leave behind is not worth a pause. */
const LARGE = 2_000;
/** When its answer has been sent. */
const REST_MS = 200;

export class ListMemory {
  #timer: NodeJS.Timeout | undefined;

  /** Call this before a list: two of them never add up. */
  begin(): void {
    if (this.#timer) this.#giveBack();
  }

  /** Call this after a list of so many sessions. */
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
 * Keeps the space for new objects of this process as small as it is: a list would let it grow by 30 MB for good. For a
 * process that is a door; others are faster with more.
 */
export function keepNewSpaceSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
