/**
 * How much each caller has typed into each session, so that an agent learns how much others typed since its last answer and can
 * make sense of a screen that is not as it left it. What was typed is not kept: it may be a password.
 */
import { BoundedMap } from "../base/bounded-map.ts";
import { MAX_TYPING_CALLERS } from "../base/limits.ts";
import type { Session } from "../session/session.ts";

interface Typing {
  /** By everybody. */
  bytes: number;
  /** By each caller with a name. */
  readonly own: BoundedMap<string, number>;
  /** How much of the others' each caller knows of. */
  readonly known: BoundedMap<string, number>;
}

export class TypedBytes {
  readonly #typing = new WeakMap<Session, Typing>();

  note(session: Session, bytes: number, caller: string | undefined): void {
    const typing = this.#of(session);
    typing.bytes += bytes;
    if (caller !== undefined) typing.own.set(caller, (typing.own.get(caller) ?? 0) + bytes);
  }

  /** How many bytes of others the caller has been told of. */
  knownBy(session: Session, caller: string): number {
    return this.#of(session).known.get(caller) ?? 0;
  }

  /** How many bytes others have typed that the caller has not been told of; from now on it has. */
  takeNews(session: Session, caller: string): number {
    const typing = this.#of(session);
    const others = typing.bytes - (typing.own.get(caller) ?? 0);
    const news = Math.max(0, others - this.knownBy(session, caller));
    typing.known.set(caller, others);
    return news;
  }

  /** The caller never received the answer that said so. */
  forgetNews(session: Session, caller: string, known: number): void {
    const typing = this.#of(session);
    typing.known.set(caller, Math.min(known, typing.known.get(caller) ?? known));
  }

  #of(session: Session): Typing {
    const typing = this.#typing.get(session) ?? {
      bytes: 0,
      own: new BoundedMap(MAX_TYPING_CALLERS),
      known: new BoundedMap(MAX_TYPING_CALLERS),
    };
    this.#typing.set(session, typing);
    return typing;
  }
}
