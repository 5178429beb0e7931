/** The end of a client: every call and stream stops waiting, and no call connects again. */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../base/async/until-aborted.ts";
import { clientClosed } from "./connection-errors.ts";
import type { HostStream } from "./host-stream.ts";

export class LinkClosing {
  readonly #end = new AbortController();

  constructor() {
    // Each waiting call adds a listener.
    setMaxListeners(0, this.#end.signal);
  }

  /** Aborts with CLIENT_CLOSED. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  close(): void {
    this.#end.abort(clientClosed());
  }

  throwIfClosed(): void {
    this.signal.throwIfAborted();
  }

  /** The result of `work`, which does not start after the end. */
  async until<T>(work: () => Promise<T>): Promise<T> {
    this.throwIfClosed();
    return await untilAborted(work(), this.signal);
  }

  /** Destroys the stream at the end, even if it is still connecting. */
  endWith(stream: HostStream): void {
    const destroy = () => void stream.destroy();
    stream.once("close", () => this.signal.removeEventListener("abort", destroy));
    if (this.signal.aborted) destroy();
    else this.signal.addEventListener("abort", destroy, { once: true });
  }

  /** Does not keep this process alive after the end. */
  readonly pause = async (ms: number): Promise<void> => {
    await sleep(ms, undefined, { signal: this.signal }).catch(() => this.throwIfClosed());
  };
}
