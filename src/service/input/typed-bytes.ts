/**
 * Counts the bytes that each caller has typed into each session. An answer can then report how much others have typed,
 * which explains a changed screen. The bytes themselves are not stored, because they may be a password.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_TYPING_CALLERS } from "../../base/limits.ts";
import type { Session } from "../../session/session.ts";

interface Typing {
  /** By all callers. */
  bytes: number;
  /** By each named caller. */
  readonly own: BoundedMap<string, number>;
  /** How many bytes of others were reported to each caller. */
  readonly known: BoundedMap<string, number>;
  /** Of each named caller, by interrupt keys: all, and how many were reported to it. */
  readonly discarded: BoundedMap<string, { bytes: number; reported: number }>;
}

export class TypedBytes {
  readonly #typing = new WeakMap<Session, Typing>();

  note(session: Session, bytes: number, caller: string | undefined): void {
    const typing = this.#of(session);
    typing.bytes += bytes;
    if (caller !== undefined) typing.own.set(caller, (typing.own.get(caller) ?? 0) + bytes);
  }

  /** How many bytes of others were reported to the caller. */
  knownBy(session: Session, caller: string): number {
    return this.#of(session).known.get(caller) ?? 0;
  }

  /** Returns how many bytes of others were not reported to the caller yet, and marks them as reported. */
  takeUnreported(session: Session, caller: string): number {
    const typing = this.#of(session);
    const others = typing.bytes - (typing.own.get(caller) ?? 0);
    const unreported = Math.max(0, others - this.knownBy(session, caller));
    typing.known.set(caller, others);
    return unreported;
  }

  /** The caller did not receive the report: marks its bytes as not reported again. */
  restoreUnreported(session: Session, caller: string, known: number): void {
    const typing = this.#of(session);
    typing.known.set(caller, Math.min(known, typing.known.get(caller) ?? known));
  }

  /** The program never read these bytes, because an interrupt key discarded them. */
  noteDiscarded(session: Session, bytes: number, caller: string | undefined): void {
    if (caller !== undefined) this.#discardedOf(session, caller).bytes += bytes;
  }

  /** How many discarded bytes were reported to the caller that had typed them. */
  discardsKnownBy(session: Session, caller: string): number {
    return this.#of(session).discarded.get(caller)?.reported ?? 0;
  }

  /** Returns how many bytes of the caller were discarded since the last report, and marks them as reported. */
  takeDiscarded(session: Session, caller: string): number {
    const discarded = this.#of(session).discarded.get(caller);
    if (!discarded) return 0;
    const unreported = discarded.bytes - discarded.reported;
    discarded.reported = discarded.bytes;
    return unreported;
  }

  /** The caller did not receive the report. */
  restoreDiscarded(session: Session, caller: string, known: number): void {
    const discarded = this.#of(session).discarded.get(caller);
    if (discarded) discarded.reported = Math.min(known, discarded.reported);
  }

  #discardedOf(session: Session, caller: string): { bytes: number; reported: number } {
    const { discarded } = this.#of(session);
    const known = discarded.get(caller) ?? { bytes: 0, reported: 0 };
    discarded.set(caller, known);
    return known;
  }

  #of(session: Session): Typing {
    const typing = this.#typing.get(session) ?? {
      bytes: 0,
      own: new BoundedMap(MAX_TYPING_CALLERS),
      known: new BoundedMap(MAX_TYPING_CALLERS),
      discarded: new BoundedMap(MAX_TYPING_CALLERS),
    };
    this.#typing.set(session, typing);
    return typing;
  }
}
