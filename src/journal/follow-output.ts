/** Yields all output from a cursor on, as it arrives: each reader at its own pace. */
import type { Cursor, Page } from "../base/cursor.ts";
import { requireInteger } from "../base/require-integer.ts";
import { ANY_CURSOR, type OutputStore } from "./output-store.ts";

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
        const page = await store.read({ from: reader.cursor });
        reader.cursor = page.next;
        store.noteRead();
        yield page;
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
