/** The latest events, numbered: a reader whose link broke continues after the last one that it has. */
import { randomUUID } from "node:crypto";
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionEvent } from "./session-event.ts";

const MAX_EVENTS = 1_000;

export class EventLog {
  /** Part of each token, because another host gives other numbers. */
  readonly #instance = randomUUID();
  #events: { readonly number: number; readonly event: SessionEvent }[] = [];
  #last = 0;
  /** Before this number there was a time in which nobody watched. */
  #gap = 0;

  /** Returns its number. */
  add(event: SessionEvent): number {
    this.#last += 1;
    this.#events.push({ number: this.#last, event });
    if (this.#events.length > MAX_EVENTS) this.#events.shift();
    return this.#last;
  }

  /** Nobody watches from now on. */
  noteGap(): void {
    this.#last += 1;
    this.#gap = this.#last;
    this.#events = [];
  }

  /** For a reader that has the events up to this number. Default: all. */
  token(number: number = this.#last): string {
    return `${this.#instance}:${number}`;
  }

  /** `dropped`: at least so many are lost. */
  since(token: string): { readonly events: readonly SessionEvent[]; readonly dropped: number } {
    const [instance, number] = token.split(":");
    const after = Number(number);
    if (instance !== this.#instance || !Number.isSafeInteger(after))
      throw new LimpetError("HOST_GONE", "The host that sent the last events is gone. List the sessions.");
    const later = this.#events.filter((each) => each.number > after);
    const oldest = this.#events[0]?.number ?? this.#last + 1;
    const dropped = after < this.#gap ? Math.max(1, oldest - after - 1) : Math.max(0, oldest - after - 1);
    return { events: later.map(({ event }) => event), dropped };
  }
}
