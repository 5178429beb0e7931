/** Reads the kept output, or a range of it, in small pieces, from memory and disk alike. */

import type { Cursor, Page } from "../base/cursor.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { Origin } from "../transport/transport.ts";
import { nextShare, SHARE_MS } from "./next-share.ts";
import { ANY_CURSOR, type OutputStore } from "./output-store.ts";

/** Which part of the output to read. */
export interface RangeOptions {
  /** Default 0, the beginning. */
  readonly from?: Cursor;
  /** Default: the current end of the output. */
  readonly to?: Cursor;
  /** Only output from this stream of a piped program. Default: all, in the order of arrival. */
  readonly origin?: Origin;
}

/** Bytes and their cursor in the journal. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly from: Cursor;
}

/** How much to read at once. */
const PIECE_BYTES = 1024 * 1024;
/** How much to process at once: some tenths of a millisecond for all but adversarial output. */
const SLICE_BYTES = 8 * 1024;
const NOTHING = new Uint8Array(0);

export function requireRange({ from = 0, to = 0 }: RangeOptions): void {
  requireInteger("from", from, ANY_CURSOR);
  requireInteger("to", to, ANY_CURSOR);
}

/**
 * Yields exactly the range, in order. Lost output is counted in `dropped` of the page that follows it, which may be
 * empty.
 */
export async function* pagesOf(store: OutputStore, options: RangeOptions): AsyncGenerator<Page> {
  requireRange(options);
  const { from = 0, to = store.end } = options;
  let cursor = from;
  // A small range is read at once, so that a short reading does not wait for long ones.
  let untilMs = Number.NEGATIVE_INFINITY;
  const end = Math.min(to, store.end);
  while (cursor < end) {
    const page = await store.read({ from: cursor, maxBytes: Math.min(PIECE_BYTES, end - cursor) });
    if (page.next <= cursor) return;
    if (page.from >= end) {
      yield { bytes: NOTHING, from: end, next: end, dropped: end - cursor };
      return;
    }
    for (const slice of slicesOf(clipped(page, end))) {
      yield slice;
      if (slice.next === end || performance.now() < untilMs) continue;
      await nextShare();
      untilMs = performance.now() + SHARE_MS;
    }
    cursor = page.next;
  }
}

/** After a gap, a page starts later than requested, so it may also end later. */
function clipped(page: Page, end: Cursor): Page {
  if (page.next <= end) return page;
  return { ...page, bytes: page.bytes.subarray(0, end - page.from), next: end };
}

/** Splits a page into small pieces: some output is slow to clean. */
function* slicesOf(page: Page): Generator<Page> {
  for (let at = 0; at < page.bytes.length; at += SLICE_BYTES) {
    const bytes = page.bytes.subarray(at, at + SLICE_BYTES);
    yield { bytes, from: page.from + at, next: page.from + at + bytes.length, dropped: at === 0 ? page.dropped : 0 };
  }
}

/** The parts of a page that came from one stream. */
export function partsOf(store: OutputStore, page: Page, origin: Origin | undefined): readonly Part[] {
  if (origin === undefined) return [page];
  const spans = store.spans(page.from, page.next).filter((span) => span.origin === origin);
  return spans.map(({ from, to }) => ({ bytes: page.bytes.subarray(from - page.from, to - page.from), from }));
}
