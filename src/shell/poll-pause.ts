/**
 * The pauses between polls of a shell. A shell takes microseconds from one step to the next, unless the machine is
 * busy: the first polls are a turn of the event loop apart, without a timer.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

const QUICK_POLLS = 50;
const FIRST_PAUSE_MS = 1;

interface PollPauseOptions {
  /** How many polls are only one turn of the event loop apart. Default 50. */
  readonly quickPolls?: number;
  /** Each later pause is twice as long as the previous one, up to this. Default: 1 ms each. */
  readonly slowestMs?: number;
}

export class PollPause {
  readonly #slowestMs: number;
  #quickPolls: number;
  #pauseMs = FIRST_PAUSE_MS;

  constructor({ quickPolls = QUICK_POLLS, slowestMs = FIRST_PAUSE_MS }: PollPauseOptions = {}) {
    this.#quickPolls = quickPolls;
    this.#slowestMs = slowestMs;
  }

  async next(): Promise<void> {
    if (this.#quickPolls > 0) {
      this.#quickPolls -= 1;
      await nextTurn();
      return;
    }
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, this.#slowestMs);
    await sleep(pauseMs);
  }
}
