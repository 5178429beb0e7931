/** Reads a page of output as text without splitting characters. */
import type { Cursor, Page } from "../base/cursor.ts";
import { decodeText, wholeCharacters } from "./decode-text.ts";
import type { OutputStore, ReadOptions } from "./output-store.ts";

/**
 * A page as text. Characters are never split, so a multi-byte character may exceed `maxBytes`. `next` still counts
 * bytes.
 */
export interface TextPage {
  readonly text: string;
  /** The cursor at which `text` starts, in bytes. */
  readonly from: Cursor;
  /** The cursor at which to continue, in bytes. */
  readonly next: Cursor;
  /** How many bytes between the requested cursor and `from` are lost; 0 if none. */
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
 * A page can end within its only character: at the caller's limit, or where memory, disk or a segment ends. Then the
 * rest is read as well, because otherwise no reader could get past it. Empty if the rest has not arrived yet.
 */
async function firstCharacter(store: OutputStore, { bytes, next }: Page): Promise<Uint8Array> {
  let character = bytes;
  let cursor = next;
  while (character.length > 0 && wholeCharacters(character) === 0) {
    if (cursor === store.end) return store.hasEnded ? character : character.subarray(0, 0);
    const more = await store.read({ from: cursor, maxBytes: 1 });
    if (more.dropped > 0) return character;
    character = Buffer.concat([character, more.bytes]);
    cursor = more.next;
  }
  return character;
}
