/** The events that a reader has not taken yet. Bounded: of too many, the oldest are dropped and counted. */
import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { onAbort } from "../../base/async/on-abort.ts";
import type { EventPage, SessionEvent } from "./session-event.ts";

/** `last`: the number of its last event. */
type NumberedPage = EventPage & { readonly last: number };

const MAX_EVENTS = 1_000;

export class EventQueue {
  #events: SessionEvent[] = [];
  #dropped = 0;
  #last = 0;
  #added: Deferred<void> = deferred<void>();

  add(event: SessionEvent, number: number): void {
    this.#events.push(event);
    this.#last = number;
    if (this.#events.length > MAX_EVENTS) {
      this.#events.shift();
      this.#dropped += 1;
    }
    this.#added.resolve();
  }

  /** Resolves when there are events; with undefined when the signal is aborted. */
  async next(signal: AbortSignal | undefined): Promise<NumberedPage | undefined> {
    const forget = onAbort(signal, () => this.#added.resolve());
    try {
      while (this.#events.length === 0 && !signal?.aborted) {
        this.#added = deferred<void>();
        await this.#added.promise;
      }
    } finally {
      forget();
    }
    if (signal?.aborted) return undefined;
    const page = { events: this.#events, dropped: this.#dropped, last: this.#last };
    this.#events = [];
    this.#dropped = 0;
    return page;
  }
}
