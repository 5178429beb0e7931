/**
 * Reads output page by page: from a cursor, as much clean text as fits a budget, uncut. `next` is where the next page
 * begins, so that reading page by page returns each line once.
 *
 * A page ends where cleaning can restart: not inside a sequence, a character or a full-screen program. It ends between
 * lines where that costs at most a quarter of it, otherwise inside a line.
 */
import type { Cursor } from "../../base/cursor.ts";
import { requireInteger } from "../../base/require-integer.ts";
import { pagesOf, partsOf } from "../../journal/output-pages.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import { estimateTokens } from "../../text/budget/cut-middle.ts";
import { Digest } from "../../text/budget/digest.ts";
import { Cleaner } from "../../text/clean/cleaner.ts";
import { DEFAULT_MAX_TOKENS, type SessionReading, type TextOptions } from "./read-digest.ts";

const BYTES_PER_TOKEN = 4;
/** The most attempts to find the end of a page. Each comes closer. */
const MOST_ATTEMPTS = 10;
/** A page that is this full is good enough. */
const FULL_PART = 0.99;
/** How much further to look if the text grows more slowly than the output. */
const LARGEST_STEP = 8;
const MOST_LOST_PART = 0.25;
/** How far back to look for the end of a line. */
const SEARCHED_BYTES = 64 * 1024;
/** More than the notes in a page need. */
const NOTE_TOKENS = 64;
const LINE_FEED = 0x0a;

interface Measured {
  readonly reading: SessionReading;
  readonly tokens: number;
}

export async function readPage(store: OutputStore, options: TextOptions): Promise<SessionReading> {
  const { from = 0, maxTokens = DEFAULT_MAX_TOKENS } = options;
  requireInteger("maxTokens", maxTokens, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const end = Math.min(options.to ?? store.end, store.end);
  let best = await measure(store, options, from);
  let high = Number.POSITIVE_INFINITY;
  let guess = from + maxTokens * BYTES_PER_TOKEN;
  for (let i = 0; i < MOST_ATTEMPTS && best.reading.next < end && maxTokens > 0; i++) {
    const low = best.reading.next;
    const to = guess >= end ? end : await pageEnd(store, { from, low, at: guess });
    if (to <= low || to >= high) break;
    const measured = await measure(store, options, to);
    if (measured.tokens <= maxTokens) best = measured;
    else high = to;
    if (best.tokens >= maxTokens * FULL_PART) break;
    guess = nextGuess({ from, low: best.reading.next, high, tried: to, tokens: measured.tokens, maxTokens });
  }
  // A note longer than the budget must not stop the reader.
  const isStuck = best.reading.next === from && from < end && maxTokens > 0;
  return isStuck ? (await measure(store, options, Math.min(end, from + 1))).reading : best.reading;
}

interface Attempt {
  readonly from: Cursor;
  /** The end of the longest page that fits, and of the shortest that does not. */
  readonly low: Cursor;
  readonly high: Cursor;
  readonly tried: Cursor;
  readonly tokens: number;
  readonly maxTokens: number;
}

/** The next guess for the end of a page, because text mostly grows in proportion to the output. Pure. */
function nextGuess({ from, low, high, tried, tokens, maxTokens }: Attempt): Cursor {
  const scaled = from + Math.floor(((tried - from) * maxTokens) / Math.max(1, tokens));
  const guess = Math.min(scaled, from + LARGEST_STEP * (tried - from));
  if (high === Number.POSITIVE_INFINITY) return Math.max(guess, low + 1);
  return guess > low && guess < high ? guess : Math.floor((low + high) / 2);
}

/** The text of a page that ends at `to`, or behind it where cleaning can restart. */
async function measure(store: OutputStore, options: TextOptions, to: Cursor): Promise<Measured> {
  const { from = 0, raw, fold, tag, tokenizer, origin } = options;
  const end = Math.min(options.to ?? store.end, store.end);
  const digest = new Digest(
    { maxTokens: Math.max(0, end - from) + NOTE_TOKENS, raw, fold, tag },
    new Cleaner(store.size),
  );
  let next = from;
  const feed = async (until: Cursor): Promise<void> => {
    for await (const page of pagesOf(store, { from: next, to: until })) {
      if (page.dropped > 0) digest.drop(page.dropped);
      for (const part of partsOf(store, page, origin)) digest.push(part.bytes, part.from);
      next = page.next;
    }
  };
  await feed(to);
  for (let bytes = 1; next > from && next < end && !digest.isAtRest; bytes = Math.min(2 * bytes, SEARCHED_BYTES)) {
    await feed(Math.min(end, next + (bytes < BYTE_BY_BYTE ? 1 : bytes)));
  }
  if (options.isComplete || (store.isComplete && next >= store.end)) digest.end();
  const reading = { ...digest.result(), from, next: Math.min(next, store.end) };
  const tokens = tokenizer ? tokenizer(reading.text) : estimateTokens(Buffer.byteLength(reading.text));
  return { reading, tokens };
}

/** The first steps to the end of a sequence are single bytes. */
const BYTE_BY_BYTE = 1 << 6;

interface Place {
  readonly from: Cursor;
  readonly low: Cursor;
  readonly at: Cursor;
}

/** Where a page that should end at `at` ends: between two lines, or before a character. */
async function pageEnd(store: OutputStore, { from, low, at }: Place): Promise<Cursor> {
  const start = Math.max(low, at - SEARCHED_BYTES);
  let before = new Uint8Array(0);
  for await (const page of pagesOf(store, { from: start, to: at + 1 })) {
    // Dropped output has no line ends to search for.
    if (page.dropped > 0) return page.next > at ? at : page.next;
    before = Buffer.concat([before, page.bytes]);
  }
  const place = at - start;
  const lineEnd = place === 0 ? 0 : before.subarray(0, place).lastIndexOf(LINE_FEED) + 1;
  if (lineEnd > 0 && place - lineEnd <= (at - from) * MOST_LOST_PART) return start + lineEnd;
  let end = place;
  while (end > 0 && (before[end] ?? 0) >= 0x80 && (before[end] ?? 0) < 0xc0) end--;
  return start + (end > 0 ? end : place);
}
