/** Which sessions a person holds, so that agents cannot type into them. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { Session } from "../../session/session.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";
import type { WriteOptions } from "../input/session-input.ts";
import type { Hold } from "./hold.ts";

const TYPING: Hold = { reason: null, isTyping: true };

export class Holds {
  readonly #held = new WeakMap<Session, Hold>();
  /** Until when a person's keys keep agents from typing, on the clock of `performance.now()`. */
  readonly #typingUntilMs = new WeakMap<Session, number>();

  of(session: Session): Hold | null {
    const held = this.#held.get(session);
    if (held) return held;
    return (this.#typingUntilMs.get(session) ?? 0) > performance.now() ? TYPING : null;
  }

  /** A person has typed. */
  noteTyping(session: Session, holdMs: number): void {
    this.#typingUntilMs.set(session, performance.now() + holdMs);
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
    this.#typingUntilMs.delete(session);
    return this.#held.delete(session);
  }

  /** Throws `SESSION_HELD` if an agent must not type now. */
  requireFree(session: Session, { by = "agent" }: Pick<WriteOptions, "by">): void {
    const held = this.of(session);
    if (!held || by === "person") return;
    if (held.isTyping) {
      throw new LimpetError(
        "SESSION_HELD",
        `A person is typing into session ${session.id}, so nothing was typed. Wait some seconds, read its output, then type again.`,
      );
    }
    const why = held.reason === null ? "" : ` (${quoteLine(held.reason)})`;
    throw new LimpetError(
      "SESSION_HELD",
      `A person holds session ${session.id}${why}, so nothing was typed. Do not type again until it is released; you can still read its output.`,
    );
  }
}
