/**
 * Up to where each caller has read each session.
 *
 * A caller can reach us through one client after the other: a server that was killed and started again, say. What a client
 * was given counts for that client at once, and for its caller when it was confirmed: the next client goes on from there, so
 * that what died on its way is given again, and nothing else is.
 */
import type { Cursor } from "../base/cursor.ts";
import { MAX_CALLERS } from "../base/limits.ts";
import type { OutputReader } from "../session/read/output-reader.ts";
import type { Session } from "../session/session.ts";

interface Place {
  readonly reader: OutputReader;
  /** Who reads on the caller's behalf; undefined for the caller itself. */
  client: string | undefined;
  confirmed: Cursor;
}

interface Who {
  readonly caller: string;
  /** Undefined: the caller itself, who has what it was given. */
  readonly client: string | undefined;
}

export class ReadPositions {
  /** By session, then by caller; gone with the session. */
  readonly #places = new WeakMap<Session, Map<string, Place>>();

  /** Where it goes on reading. */
  cursorOf(session: Session, { caller, client }: Who): Cursor {
    const place = this.#find(session, caller);
    return place.client === client ? place.reader.cursor : place.confirmed;
  }

  /** Calls are served in their order; a change of the client comes before what it asks for. */
  readerFor(session: Session, { caller, client }: Who): OutputReader {
    const place = this.#find(session, caller);
    if (place.client !== client) {
      place.client = client;
      void place.reader.moveTo(place.confirmed);
    }
    return place.reader;
  }

  async confirm(session: Session, caller: string, cursor: Cursor): Promise<void> {
    const place = this.#find(session, caller);
    place.confirmed = Math.max(place.confirmed, Math.min(cursor, session.endCursor));
    // It has got more than we know of, from a client that did not live to tell.
    if (place.reader.cursor < place.confirmed) await place.reader.moveTo(place.confirmed);
  }

  /** It never got what it was given from `from` to `to`, whether that was confirmed or not. */
  async giveBack(
    session: Session,
    who: Who,
    { from, to }: { readonly from: Cursor; readonly to: Cursor },
  ): Promise<void> {
    const place = this.#find(session, who.caller);
    // Another client goes on from what was confirmed, and has its own account.
    if (place.client !== who.client) return;
    place.confirmed = Math.min(place.confirmed, from);
    await place.reader.giveBack({ from, to });
  }

  #find(session: Session, caller: string): Place {
    const places = this.#places.get(session) ?? new Map<string, Place>();
    this.#places.set(session, places);
    const place = places.get(caller) ?? { reader: session.reader(), client: undefined, confirmed: 0 };
    // Last in line: the first is the one whom nobody has heard of for longest.
    places.delete(caller);
    places.set(caller, place);
    const [oldest] = places.keys();
    if (places.size > MAX_CALLERS && oldest !== undefined) places.delete(oldest);
    return place;
  }
}
