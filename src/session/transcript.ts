/**
 * A session as people see it: its output, the commands that callers ran and the sizes of its terminal, in the order of
 * the journal. The journal does not contain the commands, because agents read it.
 */
import type { Cursor, Page } from "../base/cursor.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import { ANY_CURSOR } from "../journal/output-store.ts";
import type { SizeChange } from "../journal/timeline.ts";
import { commandLogOf, type LoggedCommand } from "./command-log.ts";
import type { Session } from "./session.ts";
import { internalsOf } from "./session-internals.ts";
import type { TranscriptOptions, TranscriptPart } from "./transcript-part.ts";

interface CommandEvent {
  readonly kind: "started" | "finished";
  readonly cursor: Cursor;
  /** Grows from event to event. */
  readonly order: number;
  readonly command: LoggedCommand;
}

/** Yields everything from a cursor on, as it happens. Ends when no more output can follow. */
export async function* transcript(
  session: Session,
  { from = 0, after, signal, isLive = true }: TranscriptOptions,
): AsyncGenerator<TranscriptPart, void, undefined> {
  requireInteger("from", from, ANY_CURSOR);
  const { store } = internalsOf(session);
  const reader = { cursor: from };
  const end = isLive ? Number.POSITIVE_INFINITY : store.end;
  const events = new PendingEvents(session, { from, after });
  store.join(reader);
  try {
    yield { kind: "size", size: events.size };
    for (;;) {
      signal?.throwIfAborted();
      const due = events.take(reader.cursor);
      if (due.length > 0) yield* due;
      else if (reader.cursor < Math.min(store.end, end)) {
        const border = Math.min(end, events.nextCursor(reader.cursor));
        const page = upTo(await store.read({ from: reader.cursor }), border);
        reader.cursor = page.next;
        store.noteRead();
        yield { kind: "output", page };
      } else if (store.hasEnded || reader.cursor >= end) return;
      else await store.changes.next({ signal });
    }
  } finally {
    store.leave(reader);
  }
}

/** The part of a page before a cursor. */
function upTo(page: Page, cursor: Cursor): Page {
  const next = Math.max(page.from, cursor);
  return next < page.next ? { ...page, bytes: page.bytes.subarray(0, next - page.from), next } : page;
}

/** The commands and sizes that a reader has not received yet. */
class PendingEvents {
  readonly #session: Session;
  #order: number;
  #sizeChange: SizeChange | undefined;

  constructor(session: Session, { from, after }: { readonly from: Cursor; readonly after: number | undefined }) {
    this.#session = session;
    this.#order = after ?? this.#commands().findLast(({ cursor }) => cursor < from)?.order ?? 0;
    const { sizes } = session.timeline;
    this.#sizeChange = sizes.findLast(({ cursor }) => cursor <= from) ?? sizes[0];
  }

  get size(): TerminalSize | null {
    const { tty, size } = this.#session;
    return tty ? (this.#sizeChange?.size ?? size) : null;
  }

  /** The events at or before `cursor`. */
  take(cursor: Cursor): readonly TranscriptPart[] {
    const parts: TranscriptPart[] = [];
    const change = this.#session.timeline.sizes.findLast((each) => each.cursor <= cursor);
    if (change && change !== this.#sizeChange && this.#session.tty) {
      this.#sizeChange = change;
      parts.push({ kind: "size", size: change.size });
    }
    for (const event of this.#commands()) {
      if (event.order <= this.#order || event.cursor > cursor) continue;
      this.#order = event.order;
      parts.push({ kind: event.kind, command: event.command });
    }
    return parts;
  }

  /** The cursor of the next event after `cursor`. */
  nextCursor(cursor: Cursor): Cursor {
    const command = this.#commands().find((event) => event.order > this.#order && event.cursor > cursor);
    const size = this.#session.timeline.sizes.find((change) => change.cursor > cursor);
    return Math.min(command?.cursor ?? Number.POSITIVE_INFINITY, size?.cursor ?? Number.POSITIVE_INFINITY);
  }

  #commands(): readonly CommandEvent[] {
    return commandLogOf(this.#session).entries.flatMap((command) => {
      const { number, from, to } = command;
      const started = { kind: "started", cursor: from, order: 2 * number, command } as const;
      return to === null
        ? [started]
        : [started, { kind: "finished", cursor: to, order: 2 * number + 1, command } as const];
    });
  }
}
