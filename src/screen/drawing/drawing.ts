/**
 * The output of a session, drawn up to a cursor. Drawing continues where it stopped; output that has been dropped by
 * then is skipped and counted.
 */
import type { Cursor, Page } from "../../base/cursor.ts";
import {
  JOURNAL_HEAD_BYTES,
  SCREEN_CATCH_UP_MS,
  SCREEN_REBUILD_BYTES,
  SCREEN_SHORT_BYTES,
  SCREEN_TURN_BYTES,
} from "../../base/limits.ts";
import type { SizeChange } from "../../journal/timeline.ts";
import type { Session } from "../../session/session.ts";
import { Guard } from "./guard.ts";
import { HeadlessTerminal } from "./headless-terminal.ts";

/** What a drawing needs of a session. */
export type Drawable = Pick<Session, "read" | "endCursor" | "exit" | "timeline" | "size" | "tty">;

interface DrawingOptions {
  /** Lines kept above the screen. */
  readonly scrollback: number;
  readonly onReply?: ((text: string) => void) | undefined;
}

export class Drawing {
  readonly terminal: HeadlessTerminal;
  readonly #session: Drawable;
  readonly #guard: Guard;
  #size: SizeChange | undefined;
  #cursor: Cursor = 0;
  #missedBytes = 0;
  #spentMs = 0;

  constructor(session: Drawable, { scrollback, onReply }: DrawingOptions) {
    this.#session = session;
    this.#size = sizeAt(session.timeline.sizes, 0);
    const size = this.#size?.size ?? session.size;
    this.#guard = new Guard(size);
    const lineEnds = session.tty ? "as they are" : "to the left";
    this.terminal = new HeadlessTerminal({ size, scrollback, onReply, lineEnds });
  }

  /** All output before this cursor is drawn. */
  get cursor(): Cursor {
    return this.#cursor;
  }

  /** Output that was not drawn, because it had been dropped or was too far back. */
  get missedBytes(): number {
    return this.#missedBytes + this.terminal.lostBytes;
  }

  get title(): string {
    return this.#guard.title;
  }

  /** Draws all output so far. What arrives meanwhile is left for the next call, so that this one ends. */
  async catchUp(to: Cursor = this.#session.endCursor): Promise<void> {
    this.#spentMs = 0;
    while (this.#cursor < to) {
      const from = this.#startOf(to);
      if (from === to) {
        this.#skipTo(to);
        break;
      }
      const page = await this.#session.read({ from, maxBytes: Math.min(SCREEN_TURN_BYTES, to - from) });
      if (page.next <= this.#cursor) break;
      if (page.from > this.#cursor) this.#skipTo(page.from);
      await this.#draw(page);
    }
    // Nothing follows the exit.
    if (this.#session.exit && this.#cursor === this.#session.endCursor) {
      await this.terminal.write(this.#guard.finish(), this.#leftMs());
    }
    this.#adaptSize();
  }

  /**
   * Where to continue. If the drawing is far behind, only the beginning, which sets the modes, and the latest part are
   * drawn. If a program makes its output slow to draw, less of it is drawn, down to nothing.
   */
  #startOf(to: Cursor): Cursor {
    if (this.#spentMs > 2 * SCREEN_CATCH_UP_MS) return to;
    if (this.#spentMs > SCREEN_CATCH_UP_MS) return Math.max(this.#cursor, to - SCREEN_SHORT_BYTES);
    if (this.#cursor < JOURNAL_HEAD_BYTES) return this.#cursor;
    return Math.max(this.#cursor, to - SCREEN_REBUILD_BYTES);
  }

  /** The time until less is drawn, and then until nothing is. */
  #leftMs(): number {
    const isShort = this.#spentMs > SCREEN_CATCH_UP_MS;
    return Math.max(0, (isShort ? 2 : 1) * SCREEN_CATCH_UP_MS - this.#spentMs);
  }

  #skipTo(cursor: Cursor): void {
    this.#missedBytes += cursor - this.#cursor;
    this.#cursor = cursor;
    this.#guard.interrupt();
  }

  /** Draws piece by piece, each in the size that the terminal had. */
  async #draw({ bytes, from, next }: Page): Promise<void> {
    while (this.#cursor < next) {
      this.#adaptSize();
      const border = this.#session.timeline.sizes.find(({ cursor }) => cursor > this.#cursor)?.cursor ?? next;
      const end = Math.min(border, next);
      const chunks = this.#guard.push(bytes.subarray(this.#cursor - from, end - from));
      const { spentMs, leftBytes } = await this.terminal.write(chunks, this.#leftMs());
      this.#spentMs += spentMs;
      this.#missedBytes += leftBytes;
      this.#cursor = end;
    }
  }

  #adaptSize(): void {
    const change = sizeAt(this.#session.timeline.sizes, this.#cursor);
    if (change === undefined || change === this.#size) return;
    this.#size = change;
    this.#guard.resize(change.size);
    this.terminal.resize(change.size);
  }
}

/** Uses the oldest change that is kept if the right one was dropped. */
function sizeAt(sizes: readonly SizeChange[], cursor: Cursor): SizeChange | undefined {
  return sizes.findLast((change) => change.cursor <= cursor) ?? sizes[0];
}
