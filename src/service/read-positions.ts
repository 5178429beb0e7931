/**
 * Up to where each caller has read each session.
 *
 * A caller can reach us through one client after another, such as a server that was killed and started again. What a client was
 * given counts for that client at once, and for its caller when it is acknowledged. The next client continues from there, so
 * that an answer which died on its way is given again, and nothing else is.
 */
import { BoundedMap } from "../base/bounded-map.ts";
import type { Cursor } from "../base/cursor.ts";
import { MAX_CALLERS } from "../base/limits.ts";
import type { OutputReader } from "../session/read/output-reader.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";

interface Position {
  readonly reader: OutputReader;
  /** Who reads on the caller's behalf; undefined for the caller itself. */
  client: string | undefined;
  acknowledged: Cursor;
  /** How often something was given back, and the lowest cursor of it that was not acknowledged since. */
  returns: number;
  returnedFrom: Cursor;
  /** How many of the commands that finished in it the caller knows of. */
  finishesKnown: number;
}

/** A caller, and the client through which it asks. */
export interface Reader {
  readonly caller: string;
  /** Undefined: the caller itself, which has what it was given. */
  readonly client: string | undefined;
}

export class ReadPositions {
  /** By session, then by caller; gone with the session. */
  readonly #positions = new WeakMap<Session, BoundedMap<string, Position>>();

  /** Where the caller continues to read. */
  cursorOf(session: Session, { caller, client }: Reader): Cursor {
    const position = this.#find(session, caller);
    return position.client === client ? position.reader.cursor : position.acknowledged;
  }

  /** Requests are served in their order; a change of the client takes effect before what it asks for. */
  readerFor(session: Session, { caller, client }: Reader): OutputReader {
    const position = this.#find(session, caller);
    if (position.client !== client) {
      position.client = client;
      void position.reader.moveTo(position.acknowledged);
    }
    return position.reader;
  }

  /** How many finished commands the caller knows of. A caller that is new knows of all so far. */
  finishesKnownBy(session: Session, caller: string): number {
    return this.#find(session, caller).finishesKnown;
  }

  noteFinishesKnown(session: Session, caller: string, count: number): void {
    this.#find(session, caller).finishesKnown = count;
  }

  /** How often output was given back to this caller: an answer from before says nothing of what came back since. */
  returnsOf(session: Session, caller: string): number {
    return this.#find(session, caller).returns;
  }

  /** The caller has everything up to `to`, as of an answer that was made after `returns` give-backs. */
  acknowledge(
    session: Session,
    caller: string,
    { to, returns }: { readonly to: Cursor; readonly returns: number },
  ): void {
    const position = this.#find(session, caller);
    if (returns < position.returns && to > position.returnedFrom) return;
    position.acknowledged = Math.max(position.acknowledged, Math.min(to, session.endCursor));
    // An answer from before a give-back holds nothing of what came back, even if it ends where that begins.
    if (returns === position.returns && to > position.returnedFrom) position.returnedFrom = Number.POSITIVE_INFINITY;
    // It has received more than we know of, from a client that died before it could say so.
    void position.reader.advanceTo(position.acknowledged);
  }

  /** The caller never received what it was given from `from` on, whether that was acknowledged or not. */
  giveBack(session: Session, reader: Reader, from: Cursor): void {
    const position = this.#find(session, reader.caller);
    // Another client continues from what was acknowledged.
    if (position.client !== reader.client) return;
    position.acknowledged = Math.min(position.acknowledged, from);
    position.returns += 1;
    position.returnedFrom = Math.min(position.returnedFrom, from);
    void position.reader.rewind(from);
  }

  #find(session: Session, caller: string): Position {
    const positions = this.#positions.get(session) ?? new BoundedMap<string, Position>(MAX_CALLERS);
    this.#positions.set(session, positions);
    const position = positions.get(caller) ?? {
      reader: session.reader(),
      client: undefined,
      acknowledged: 0,
      returns: 0,
      // What finished before it came is not its news.
      finishesKnown: internalsOf(session).finishes.count,
      returnedFrom: Number.POSITIVE_INFINITY,
    };
    positions.set(caller, position);
    return position;
  }
}
