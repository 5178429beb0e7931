/**
 * Finds the exact cursor at which the cut part of a text begins. A digest knows it only to within a step of its
 * reading; reading on from there would repeat some lines.
 */
import type { Cursor } from "../../base/cursor.ts";
import { pagesOf } from "../../journal/output-pages.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import type { Reading } from "../../text/budget/digest.ts";
import { Cleaner } from "../../text/clean/cleaner.ts";

/** Control sequences make output longer than its text. Beyond this the search is not worth its time. */
const MOST_BYTES_PER_CHAR = 8;
const SPARE_BYTES = 4096;
const NEAR_BYTES = 64;

/** The same reading, with the exact start of its cut. Unchanged if that cannot be found, as after a redraw. */
export async function withCutStart<T extends Reading>(store: OutputStore, reading: T, shown: string): Promise<T> {
  const { cut } = reading;
  if (cut === null || shown === "") return reading;
  const from = await endOfText(store, cut.from, shown);
  return from === undefined || from > cut.to ? reading : { ...reading, cut: { ...cut, from } };
}

/** Where the output ends whose clean text, from `from` on, is `text`. */
async function endOfText(store: OutputStore, from: Cursor, text: string): Promise<Cursor | undefined> {
  const cleaner = new Cleaner(store.size);
  const most = from + text.length * MOST_BYTES_PER_CHAR + SPARE_BYTES;
  let seen = "";
  for await (const page of pagesOf(store, { from, to: Math.min(most, store.end) })) {
    if (page.dropped > 0) return undefined;
    for (let at = 0; at < page.bytes.length; ) {
      // Far from the end in large steps, then byte by byte.
      const left = text.length - seen.length;
      const step = left > NEAR_BYTES ? left - NEAR_BYTES : 1;
      cleaner.push(page.bytes.subarray(at, at + step));
      at = Math.min(page.bytes.length, at + step);
      seen += cleaner.take().text;
      if (!text.startsWith(seen)) return undefined;
      if (seen.length === text.length && cleaner.isAtRest) return page.from + at;
    }
  }
  return undefined;
}
