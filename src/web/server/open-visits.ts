/** The requests that are being answered, by visitor. */
import { type EventEmitter, setMaxListeners } from "node:events";
import type { Visit } from "./sign-in/grants.ts";

export interface DuringVisit {
  /** Aborted when the connection has closed, and when the visitor's right has ended. */
  readonly signal: AbortSignal;
  /** False if the visitor has `max` streams already. */
  countStream(max: number): boolean;
  end(): void;
}

export class OpenVisits {
  readonly #requests = new Map<string, number>();
  readonly #streams = new Map<string, number>();

  /** The visitors who are being answered. */
  get ids(): ReadonlySet<string> {
    return new Set(this.#requests.keys());
  }

  get streams(): number {
    return [...this.#streams.values()].reduce((sum, count) => sum + count, 0);
  }

  /** `connection` emits `close`. */
  begin({ id, signal }: Visit, connection: EventEmitter): DuringVisit {
    const stop = new AbortController();
    const onRevoked = () => stop.abort(signal.reason);
    const onClosed = () => stop.abort(new Error("The connection has closed."));
    // One for each request.
    setMaxListeners(0, signal, stop.signal);
    if (signal.aborted) onRevoked();
    signal.addEventListener("abort", onRevoked, { once: true });
    connection.once("close", onClosed);
    add(this.#requests, id, 1);
    let isStream = false;
    let isOver = false;
    return {
      signal: stop.signal,
      countStream: (max) => {
        if ((this.#streams.get(id) ?? 0) >= max) return false;
        isStream = true;
        add(this.#streams, id, 1);
        return true;
      },
      end: () => {
        if (isOver) return;
        isOver = true;
        signal.removeEventListener("abort", onRevoked);
        connection.off("close", onClosed);
        add(this.#requests, id, -1);
        if (isStream) add(this.#streams, id, -1);
      },
    };
  }
}

function add(counts: Map<string, number>, id: string, by: number): void {
  const count = (counts.get(id) ?? 0) + by;
  if (count > 0) counts.set(id, count);
  else counts.delete(id);
}
