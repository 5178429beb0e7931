/** Pure: splits a page of output where another event happened and where time passed. */
import type { Cursor, Page } from "../base/cursor.ts";
import type { TimedSpan } from "../journal/arrivals.ts";
import type { CastEvent } from "./asciicast.ts";
import type { CommandPart } from "./command-lines.ts";

/** An event that belongs before the byte at `cursor`. */
export interface InputEvent {
  readonly cursor: Cursor;
  readonly event: CastEvent;
  /** The command of a marker, which is also shown in the terminal. */
  readonly command?: CommandPart;
}

export type Piece =
  | { readonly kind: "output"; readonly bytes: Uint8Array; readonly atMs: number }
  | { readonly kind: "event"; readonly input: InputEvent };

interface PageContext {
  /** Sorted by cursor. */
  readonly inputEvents: readonly InputEvent[];
  /** The times of the whole page, in order. */
  readonly times: readonly TimedSpan[];
}

export function* piecesOf(page: Page, { inputEvents, times }: PageContext): Generator<Piece> {
  let at = page.from;
  for (const input of inputEvents) {
    yield* outputOf(page, times, { from: at, to: input.cursor });
    at = Math.max(at, input.cursor);
    yield { kind: "event", input };
  }
  yield* outputOf(page, times, { from: at, to: page.next });
}

interface Range {
  readonly from: Cursor;
  readonly to: Cursor;
}

function* outputOf(page: Page, times: readonly TimedSpan[], { from, to }: Range): Generator<Piece> {
  for (const span of times) {
    const [start, end] = [Math.max(span.from, from), Math.min(span.to, to)];
    if (end > start)
      yield { kind: "output", bytes: page.bytes.subarray(start - page.from, end - page.from), atMs: span.atMs };
  }
}
