/**
 * People and agents at one terminal: who has typed how much, and whether a person keeps the agents from typing.
 *
 * A caller is told how much others have typed since it was last told, so that it can make sense of a screen that is not as it
 * left it. What was typed is nobody's business: it may be a password.
 */

import { MAX_TYPING_CALLERS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { Session } from "../session/session.ts";
import type { Hold, WriteOptions } from "./session-service.ts";

interface Typing {
  /** By everybody. */
  bytes: number;
  /** Of it, by each caller that has a name; the oldest are forgotten. */
  readonly own: Map<string, number>;
  /** How much of the others' each caller knows of. */
  readonly told: Map<string, number>;
}

export class HandOver {
  readonly #typing = new WeakMap<Session, Typing>();
  readonly #held = new WeakMap<Session, Hold>();

  holdOf(session: Session): Hold | null {
    return this.#held.get(session) ?? null;
  }

  hold(session: Session, hold: Hold): void {
    this.#held.set(session, hold);
  }

  /** False where nobody held it. */
  release(session: Session): boolean {
    return this.#held.delete(session);
  }

  /** Throws `SESSION_HELD` where an agent may not type now. */
  requireFree(session: Session, { by = "agent" }: WriteOptions): void {
    const held = this.#held.get(session);
    if (!held || by === "person") return;
    const why = held.reason === null ? "" : ` (${held.reason})`;
    throw new LimpetError(
      "SESSION_HELD",
      `A person holds session ${session.id}${why}, and nothing was typed. Do not type again until it is released; what it prints can still be read.`,
    );
  }

  note(session: Session, bytes: number, { caller }: WriteOptions): void {
    const typing = this.#typingOf(session);
    typing.bytes += bytes;
    if (caller !== undefined) put(typing.own, caller, (typing.own.get(caller) ?? 0) + bytes);
  }

  /** How many bytes others have typed since this caller was last told. */
  typedByOthers(session: Session, caller: string): number {
    const typing = this.#typingOf(session);
    const others = typing.bytes - (typing.own.get(caller) ?? 0);
    const told = typing.told.get(caller) ?? 0;
    put(typing.told, caller, others);
    return Math.max(0, others - told);
  }

  #typingOf(session: Session): Typing {
    const typing = this.#typing.get(session) ?? { bytes: 0, own: new Map(), told: new Map() };
    this.#typing.set(session, typing);
    return typing;
  }
}

/** Whoever typed last is forgotten last: each `limpet attach` is a caller of its own. */
function put(counts: Map<string, number>, caller: string, count: number): void {
  counts.delete(caller);
  counts.set(caller, count);
  const [oldest] = counts.keys();
  if (counts.size > MAX_TYPING_CALLERS && oldest !== undefined) counts.delete(oldest);
}
