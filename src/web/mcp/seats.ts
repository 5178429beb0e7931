/**
 * The caller names of the clients of one token: the first client has the name of the token, a second one at the same
 * time is `NAME #2`. Each has its own shell and its own unread output. A client that is gone makes room for the next
 * one, which continues under its name.
 */

export interface Seated {
  /** The client is not connected, and probably does not return. */
  readonly isAbsent: boolean;
  /** Must release its name. */
  close(): void;
}

export class Seats {
  readonly #seated = new Map<string, Seated>();

  /** The lowest free name. A client that is absent is closed for it. */
  nameFor(token: string): string {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? token : `${token} #${number}`;
      const seated = this.#seated.get(name);
      if (seated && !seated.isAbsent) continue;
      seated?.close();
      return name;
    }
  }

  take(name: string, seated: Seated): void {
    this.#seated.set(name, seated);
  }

  leave(name: string, seated: Seated): void {
    if (this.#seated.get(name) === seated) this.#seated.delete(name);
  }
}
