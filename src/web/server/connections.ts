/**
 * The connections of a server, at most so many at once. When there are too many, the one that has been idle longest
 * makes room: whoever opens connections and sends nothing cannot keep others out.
 */
import type { Socket } from "node:net";

export class Connections {
  readonly #max: number;
  readonly #all = new Set<Socket>();
  /** Without a request that is being answered, the longest idle one first. */
  readonly #idle = new Set<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#all.size;
  }

  add(socket: Socket): void {
    if (this.#all.size >= this.#max) {
      const [oldest = socket] = this.#idle;
      oldest.destroy();
      this.#forget(oldest);
      if (oldest === socket) return;
    }
    this.#all.add(socket);
    this.#idle.add(socket);
    socket.once("close", () => this.#forget(socket));
  }

  isIdle(socket: Socket): boolean {
    return this.#idle.has(socket);
  }

  /** A request started. Returns what to call when it is answered. */
  busy(socket: Socket): () => void {
    this.#idle.delete(socket);
    return () => {
      if (this.#all.has(socket)) this.#idle.add(socket);
    };
  }

  /** Also those that became something else than HTTP. */
  destroyAll(): void {
    for (const socket of this.#all) socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#all.delete(socket);
    this.#idle.delete(socket);
  }
}
