/** A page of output as text, in which no character is ever cut. */
import type { Cursor, Page } from "../base/cursor.ts";
import { decodeText, wholeCharacters } from "./decode-text.ts";
import type { OutputStore, ReadOptions } from "./output-store.ts";

/** A page as text. No character is ever cut, so one of several bytes may exceed `maxBytes`; `next` is still a count of bytes. */
export interface TextPage {
  readonly text: string;
  /** Where `text` begins, in bytes. */
  readonly from: Cursor;
  /** Where to read on, in bytes. */
  readonly next: Cursor;
  /** Bytes between what was asked for and `from` that are lost; 0 where none are. */
  readonly dropped: number;
}

export async function readText(store: OutputStore, options: ReadOptions): Promise<TextPage> {
  const page = await store.read(options);
  const isLast = store.hasEnded && page.next === store.end;
  const whole = isLast ? page.bytes.length : wholeCharacters(page.bytes);
  const bytes = whole > 0 ? page.bytes.subarray(0, whole) : await firstCharacter(store, page);
  return { text: decodeText(bytes), from: page.from, next: page.from + bytes.length, dropped: page.dropped };
}

/**
 * A page can end within its only character: at the caller's bound, or where memory, disk or a segment of it ends.
 * Then the rest is fetched, for otherwise nobody would ever get past it. Empty when the rest is yet to come.
 */
async function firstCharacter(store: OutputStore, { bytes, next }: Page): Promise<Uint8Array> {
  let begun = bytes;
  let cursor = next;
  while (begun.length > 0 && wholeCharacters(begun) === 0) {
    if (cursor === store.end) return store.hasEnded ? begun : begun.subarray(0, 0);
    const more = await store.read({ from: cursor, maxBytes: 1 });
    if (more.dropped > 0) return begun;
    begun = Buffer.concat([begun, more.bytes]);
    cursor = more.next;
  }
  return begun;
}
