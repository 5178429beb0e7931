/**
 * What an agent gets to read of a session: clean text in a budget, the first or last lines, a search. All of it works on
 * memory and disk alike, in pieces, with turns of the loop between them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { READ_BYTES } from "../base/limits.ts";
import { requireInteger } from "../base/range.ts";
import { fitTokens, type Tokenizer } from "../output/budget.ts";
import { lineSteps } from "../output/byte-lines.ts";
import { Cleaner, type CleanText } from "../output/clean.ts";
import { CursorMap } from "../output/cursor-map.ts";
import { Digest, type Reading } from "../output/digest.ts";
import { foldRepeats } from "../output/fold.ts";
import { type GrepOptions, type GrepResult, grep } from "../output/grep.ts";
import { compilePattern } from "../output/pattern.ts";
import type { Origin } from "../transport/transport.ts";
import type { Cursor, Page } from "./journal.ts";
import type { KeptOutput } from "./kept-output.ts";

/** Which part of the output. */
export interface RangeOptions {
  /** Default 0, the beginning. */
  readonly from?: Cursor;
  /** Default: the end of what is there. */
  readonly to?: Cursor;
  /** Only what came from this stream of a piped program. Default: all, in the order of arrival. */
  readonly origin?: Origin;
}

export interface TextOptions extends RangeOptions {
  /** The budget. Default 10,000. */
  readonly maxTokens?: number;
  /** Bytes as they came, control sequences and all. Default false. */
  readonly raw?: boolean;
  /** Repeated lines as one and a count. Default true. */
  readonly fold?: boolean;
  /** Default: 4 bytes a token. */
  readonly tokenizer?: Tokenizer;
}

export interface SearchOptions extends RangeOptions, Omit<GrepOptions, "from"> {
  /** Search the bytes as they came. Default false: the clean text. */
  readonly raw?: boolean;
}

/** Text of a range, and where to read on. */
export interface SessionReading extends Reading {
  readonly from: Cursor;
  readonly next: Cursor;
}

/** Default budget of a reading. */
export const DEFAULT_MAX_TOKENS = 10_000;
/** Read at once. */
const PIECE_BYTES = 1024 * 1024;
/** Worked on at once: less than a millisecond, unless it is made to be slow. */
const SLICE_BYTES = 64 * 1024;
const TURN_MS = 5;
const SEARCH_STEP_BYTES = 1024;
/** A guess at a line's length, to begin the search for the last lines with. */
const LINE_BYTES = 200;
/** Further back the last lines are not looked for: they are then very long ones. */
const MOST_TAIL_BYTES = 8 * 1024 * 1024;
const MOST_LINES = 1_000_000;
const LINE_FEED = 0x0a;

export async function readDigest(kept: KeptOutput, options: TextOptions): Promise<SessionReading> {
  const { maxTokens = DEFAULT_MAX_TOKENS, raw, fold, tokenizer } = options;
  requireInteger("maxTokens", maxTokens, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const digest = new Digest({ maxTokens, raw, fold, tokenizer }, new Cleaner(kept.size));
  let next = options.from ?? 0;
  for await (const page of pagesOf(kept, options)) {
    if (page.dropped > 0) digest.drop(page.dropped);
    for (const part of partsOf(kept, page, options.origin)) digest.push(part.bytes, part.from);
    next = page.next;
  }
  return { ...digest.result(), from: options.from ?? 0, next: Math.min(next, kept.end) };
}

/** The first lines as they were printed: reads no further than needed. */
export async function readHead(kept: KeptOutput, lines: number, options: TextOptions): Promise<SessionReading> {
  requireInteger("head", lines, { min: 1, max: MOST_LINES });
  let to = options.from ?? 0;
  let left = lines;
  for await (const page of pagesOf(kept, options)) {
    const { length, found } = takeLines(page.bytes, left);
    to = page.from + length;
    left -= found;
    if (left === 0) break;
  }
  return await readDigest(kept, { ...options, to });
}

/** The last lines of the text: looks back from the end, further as long as there are too few of them. */
export async function readTail(kept: KeptOutput, lines: number, options: TextOptions): Promise<SessionReading> {
  requireInteger("tail", lines, { min: 1, max: MOST_LINES });
  const { from = 0, to = kept.end, maxTokens = DEFAULT_MAX_TOKENS, fold = true, raw = false, tokenizer } = options;
  for (let bytes = Math.max(lines * LINE_BYTES, READ_BYTES); ; bytes *= 4) {
    const start = Math.max(from, to - bytes);
    const whole = await readDigest(kept, { ...options, from: start, to, fold: false, maxTokens: to - start });
    const { text, isWhole } = lastLines(whole.text, lines);
    if (!isWhole && start > from && bytes < MOST_TAIL_BYTES) continue;
    const folded = fold && !raw ? foldRepeats(text).text : text;
    const fitted = fitTokens(folded, maxTokens, tokenizer ? { tokenizer } : {});
    return {
      ...whole,
      text: fitted.text,
      originalTokenCount: fitted.originalTokenCount,
      cut: fitted.cut && { from: start, to },
    };
  }
}

/** The same pattern rules as in `wait`. Line numbers count from the beginning of the range. */
export async function searchOutput(
  kept: KeptOutput,
  pattern: string | RegExp,
  options: SearchOptions,
): Promise<GrepResult> {
  const compiled = compilePattern(pattern);
  const { context, maxMatches, maxLineChars } = options;
  return await grep(options.raw ? rawPieces(kept, options) : cleanPieces(kept, options), compiled, {
    ...(context === undefined ? {} : { context }),
    ...(maxMatches === undefined ? {} : { maxMatches }),
    ...(maxLineChars === undefined ? {} : { maxLineChars }),
  });
}

async function* cleanPieces(kept: KeptOutput, options: RangeOptions): AsyncGenerator<CleanText> {
  const cleaner = new Cleaner(kept.size);
  const cursors = new CursorMap();
  for await (const page of pagesOf(kept, options)) {
    for (const part of partsOf(kept, page, options.origin)) {
      // In steps, because a line's place is known to within one of them.
      for (const step of lineSteps(part.bytes, SEARCH_STEP_BYTES)) {
        cursors.note(cleaner.cursor, part.from + step.at);
        cleaner.push(step.bytes);
      }
    }
    yield located(cleaner.drain(), cursors);
  }
  yield located(cleaner.take(), cursors);
}

/** Places in the journal instead of counts of bytes read. */
function located({ text, cursor, marks }: CleanText, cursors: CursorMap): CleanText {
  return {
    text,
    cursor: cursors.cursorOf(cursor),
    marks: marks.map((mark) => ({ textByte: mark.textByte, cursor: cursors.cursorOf(mark.cursor) })),
  };
}

async function* rawPieces(kept: KeptOutput, options: RangeOptions): AsyncGenerator<Uint8Array> {
  for await (const page of pagesOf(kept, options)) {
    for (const part of partsOf(kept, page, options.origin)) yield part.bytes;
  }
}

export async function* pagesOf(kept: KeptOutput, { from = 0, to = kept.end }: RangeOptions): AsyncGenerator<Page> {
  let cursor = from;
  const end = Math.min(to, kept.end);
  while (cursor < end) {
    const page = await kept.read({ from: cursor, maxBytes: Math.min(PIECE_BYTES, end - cursor) });
    if (page.next <= cursor) return;
    cursor = page.next;
    yield* slicesOf(page);
  }
}

/** A page in small pieces, with a turn of the loop after each that took long: some output is slow to clean. */
async function* slicesOf(page: Page): AsyncGenerator<Page> {
  for (let at = 0; at < page.bytes.length; at += SLICE_BYTES) {
    const bytes = page.bytes.subarray(at, at + SLICE_BYTES);
    const startedMs = performance.now();
    yield { bytes, from: page.from + at, next: page.from + at + bytes.length, dropped: at === 0 ? page.dropped : 0 };
    if (performance.now() - startedMs > TURN_MS) await nextTurn();
  }
  await nextTurn();
}

/** The parts of a page that came from one stream. */
function partsOf(kept: KeptOutput, page: Page, origin: Origin | undefined): { bytes: Uint8Array; from: Cursor }[] {
  if (origin === undefined) return [page];
  const spans = kept.spans(page.from, page.next).filter((span) => span.origin === origin);
  return spans.map(({ from, to }) => ({ bytes: page.bytes.subarray(from - page.from, to - page.from), from }));
}

/** Pure: how many bytes the first `lines` lines take, and how many there are. */
function takeLines(bytes: Uint8Array, lines: number): { readonly length: number; readonly found: number } {
  let length = 0;
  let found = 0;
  while (found < lines) {
    const end = bytes.indexOf(LINE_FEED, length);
    if (end < 0) return { length: bytes.length, found };
    length = end + 1;
    found += 1;
  }
  return { length, found };
}

/** Pure: the last `lines` lines; whole, if there is something before them. */
function lastLines(text: string, lines: number): { readonly text: string; readonly isWhole: boolean } {
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let left = lines; left > 0; left -= 1) {
    at = text.lastIndexOf("\n", at - 1);
    if (at < 0) return { text, isWhole: false };
  }
  return { text: text.slice(at + 1), isWhole: true };
}
