/**
 * How far each caller has read each session.
 *
 * A caller can connect through one client after another, for example when a server is killed and started again. Output
 * counts as read for the client as soon as it is returned, and for the caller when it is acknowledged. The next client
 * continues from the acknowledged position, so that only an answer that was lost on its way is returned again.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import type { Cursor } from "../../base/cursor.ts";
import { MAX_CALLERS } from "../../base/limits.ts";
import type { OutputReader } from "../../session/read/output-reader.ts";
import type { Session } from "../../session/session.ts";

interface Position {
  readonly reader: OutputReader;
  /** The client that reads for the caller; undefined for the caller itself. */
  client: string | undefined;
  acknowledged: Cursor;
  /** How often output was given back, and the lowest returned cursor that was not acknowledged since. */
  returns: number;
  returnedFrom: Cursor;
}

/** A caller, and the client that it uses. */
export interface Reader {
  readonly caller: string;
  /** Undefined: the caller is in this process, and receives every answer. */
  readonly client: string | undefined;
}

export class ReadPositions {
  /** By session, then by caller. An entry ends with its session. */
  readonly #positions = new WeakMap<Session, BoundedMap<string, Position>>();

  /** The cursor at which the caller continues to read. */
  cursorOf(session: Session, { caller, client }: Reader): Cursor {
    const position = this.#find(session, caller);
    return position.client === client ? position.reader.cursor : position.acknowledged;
  }

  /** A change of the client takes effect before its request, because requests are served in order. */
  readerFor(session: Session, { caller, client }: Reader): OutputReader {
    const position = this.#find(session, caller);
    if (position.client !== client) {
      position.client = client;
      void position.reader.moveTo(position.acknowledged);
    }
    return position.reader;
  }

  /**
   * How often output was given back to this caller. An older receipt says nothing about output that was given back
   * later.
   */
  returnsOf(session: Session, caller: string): number {
    return this.#find(session, caller).returns;
  }

  /**
   * The caller has received everything up to `to`. `returns`: how often output had been given back before that answer.
   */
  acknowledge(
    session: Session,
    caller: string,
    { to, returns }: { readonly to: Cursor; readonly returns: number },
  ): void {
    const position = this.#find(session, caller);
    if (returns < position.returns && to > position.returnedFrom) return;
    position.acknowledged = Math.max(position.acknowledged, Math.min(to, session.endCursor));
    // An answer from before a give-back contains nothing of the output that was given back, even if it ends where that
    // begins.
    if (returns === position.returns && to > position.returnedFrom) position.returnedFrom = Number.POSITIVE_INFINITY;
    // It has received more than we know of, from a client that died before it could acknowledge it.
    void position.reader.advanceTo(position.acknowledged);
  }

  /** The caller never received what it was given from `from` on, whether that was acknowledged or not. */
  giveBack(session: Session, reader: Reader, from: Cursor): void {
    const position = this.#find(session, reader.caller);
    // Another client continues from the acknowledged position.
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
      returnedFrom: Number.POSITIVE_INFINITY,
    };
    positions.set(caller, position);
    return position;
  }
}
