/** Yields all output from a cursor on, as it arrives: each reader at its own pace. */
import type { Cursor, Page } from "../base/cursor.ts";
import { READ_BYTES } from "../base/limits.ts";
import { requireInteger } from "../base/require-integer.ts";
import { ANY_CURSOR, type OutputStore } from "./output-store.ts";

/** A reader that is behind reads from the disk, in larger pieces than the pages that it gets. */
const DISK_READ_BYTES: number = 4 * READ_BYTES;

/** Where to start, and how to stop. */
export interface OutputOptions {
  /** Where to start: any cursor, including one beyond the end. Default 0, the beginning. */
  readonly from?: Cursor;
  /** Stops the reading, never the program. The iteration throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Ends when no more output can follow. */
export async function* followOutput(
  store: OutputStore,
  { from = 0, signal }: OutputOptions,
): AsyncGenerator<Page, void, undefined> {
  requireInteger("from", from, ANY_CURSOR);
  const reader = { cursor: from };
  store.join(reader);
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (reader.cursor < store.end) {
        const maxBytes = store.isOnDiskOnly(reader.cursor) ? DISK_READ_BYTES : READ_BYTES;
        for (const page of pagesIn(await store.read({ from: reader.cursor, maxBytes }))) {
          reader.cursor = page.next;
          store.noteRead();
          yield page;
          signal?.throwIfAborted();
        }
      } else if (store.hasEnded) {
        return;
      } else {
        await store.changes.next({ signal });
      }
    }
  } finally {
    store.leave(reader);
  }
}

/** Pure: pages of the usual size. An empty one, which only counts what was lost, stays. */
function* pagesIn(page: Page): Generator<Page, void, undefined> {
  if (page.bytes.length <= READ_BYTES) {
    yield page;
    return;
  }
  for (let at = 0; at < page.bytes.length; at += READ_BYTES) {
    const bytes = page.bytes.subarray(at, at + READ_BYTES);
    const from = page.from + at;
    yield { bytes, from, next: from + bytes.length, dropped: at === 0 ? page.dropped : 0 };
  }
}
