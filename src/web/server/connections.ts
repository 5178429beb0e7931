/**
 * The connections of a server, limited in number. When there are too many, the one that has been idle longest is
 * closed, so that a client that opens connections and sends nothing cannot lock others out.
 */
import type { Socket } from "node:net";

export class Connections {
  readonly #max: number;
  readonly #all = new Set<Socket>();
  /** Connections without a running request, the longest idle one first. */
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

  /** Also destroys connections that were upgraded, such as WebSockets. */
  destroyAll(): void {
    for (const socket of this.#all) socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#all.delete(socket);
    this.#idle.delete(socket);
  }
}
