/** Which sessions a person holds, so that agents cannot type into them. */
import { LimpetError } from "../base/limpet-error.ts";
import type { Session } from "../session/session.ts";
import { quoteLine } from "../text/clean/quote-line.ts";
import type { Hold, WriteOptions } from "./session-service.ts";

export class Holds {
  readonly #held = new WeakMap<Session, Hold>();

  of(session: Session): Hold | null {
    return this.#held.get(session) ?? null;
  }

  hold(session: Session, hold: Hold): void {
    if (session.exit !== undefined) {
      throw new LimpetError(
        "SESSION_ENDED",
        `Session ${session.id} has ended and takes no input. Hold a running session.`,
      );
    }
    this.#held.set(session, hold);
  }

  /** False if nobody held it. */
  release(session: Session): boolean {
    return this.#held.delete(session);
  }

  /** Throws `SESSION_HELD` if an agent must not type now. */
  requireFree(session: Session, { by = "agent" }: Pick<WriteOptions, "by">): void {
    const held = this.#held.get(session);
    if (!held || by === "person") return;
    const why = held.reason === null ? "" : ` (${quoteLine(held.reason)})`;
    throw new LimpetError(
      "SESSION_HELD",
      `A person holds session ${session.id}${why}, so nothing was typed. Do not type again until it is released; you can still read its output.`,
    );
  }
}
