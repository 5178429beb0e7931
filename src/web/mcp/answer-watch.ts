/**
 * Whether an answer that was sent has arrived. The kernel resets a connection that is closed while something is unread:
 * the client was killed, or has given up. The next request over the same connection shows that everything has arrived.
 */
import type { Socket } from "node:net";

export class AnswerWatch {
  /** Forgets the answer that was sent last. */
  readonly #sent = new WeakMap<Socket, () => void>();

  /** A request came over this connection. */
  used(socket: Socket): void {
    this.#sent.get(socket)?.();
  }

  /** An answer was sent. `onLost` is called if the connection is reset before it is used again. */
  watch(socket: Socket, onLost: () => void): void {
    this.used(socket);
    if (socket.closed) {
      // The connection broke while the end of the answer was written, which still counted as sent.
      if (socket.errored) onLost();
      return;
    }
    const onClose = (hadError: boolean) => {
      this.#sent.delete(socket);
      if (hadError) onLost();
    };
    socket.once("close", onClose);
    this.#sent.set(socket, () => {
      socket.off("close", onClose);
      this.#sent.delete(socket);
    });
  }
}
