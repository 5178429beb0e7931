/**
 * Reads the output of a session as an agent needs it: clean text within a budget, or the first or last lines. Reads
 * memory and disk in pieces, and yields to the event loop between them.
 */
import type { Cursor } from "../../base/cursor.ts";
import { READ_BYTES } from "../../base/limits.ts";
import { requireInteger } from "../../base/require-integer.ts";
import { inShares } from "../../journal/next-share.ts";
import { pagesOf, partsOf, type RangeOptions, requireRange } from "../../journal/output-pages.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import { Digest, type Reading } from "../../text/budget/digest.ts";
import { countBeforeFold, fitTokens, type Tokenizer } from "../../text/budget/fit-tokens.ts";
import { Cleaner } from "../../text/clean/cleaner.ts";
import { foldRepeats } from "../../text/fold/fold-repeats.ts";
import type { MarkOptions } from "../../text/mark.ts";
import type { GrepOptions } from "../../text/search/grep.ts";
import { withCutStart } from "./with-cut-start.ts";

/** Which part of the output to read, and how to shorten it. */
export interface TextOptions extends RangeOptions, MarkOptions {
  /** The budget in tokens. Default 10,000. */
  readonly maxTokens?: number;
  /** Return the bytes unchanged, including control sequences. Default false. */
  readonly raw?: boolean;
  /** Show repeated lines once, with a count. Default true. */
  readonly fold?: boolean;
  /** Counts tokens. Default: 4 bytes per token. */
  readonly tokenizer?: Tokenizer;
  /**
   * No output follows the range, so an incomplete character at its end is shown as U+FFFD. Default: true once the
   * program has ended.
   */
  readonly isComplete?: boolean;
}

/** Which part of the output to search, and how. */
export interface SearchOptions extends RangeOptions, MarkOptions, Omit<GrepOptions, "from"> {
  /** Search the unchanged bytes. Default false: search the clean text. */
  readonly raw?: boolean;
}

/** The text of a range, and the cursor at which to continue. */
export interface SessionReading extends Reading {
  readonly from: Cursor;
  readonly next: Cursor;
}

/** The default budget of a reading. */
export const DEFAULT_MAX_TOKENS = 10_000;
/** An estimate of a line's length, used for the first attempt to find the last lines. */
const LINE_BYTES = 200;
/** The search for the last lines stops after this many bytes: such lines are very long. */
const MOST_TAIL_BYTES = 8 * 1024 * 1024;
const MOST_LINES = 1_000_000;
/** More than a note about dropped output needs. */
const NOTE_TOKENS = 64;
const LINE_FEED = 0x0a;

export async function readDigest(store: OutputStore, options: TextOptions): Promise<SessionReading> {
  return (await digestOf(store, options)).reading;
}

async function digestOf(
  store: OutputStore,
  options: TextOptions,
): Promise<{ reading: SessionReading; digest: Digest }> {
  const { from = 0, maxTokens = DEFAULT_MAX_TOKENS, raw, fold, tokenizer, tag } = options;
  requireInteger("maxTokens", maxTokens, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const digest = new Digest({ maxTokens, raw, fold, tokenizer, tag }, new Cleaner(store.size));
  let next = from;
  for await (const page of pagesOf(store, options)) {
    if (page.dropped > 0) digest.drop(page.dropped);
    for (const part of partsOf(store, page, options.origin)) digest.push(part.bytes, part.from);
    next = page.next;
  }
  if (options.isComplete || (store.isComplete && next >= store.end)) digest.end();
  await inShares(digest.finishing());
  const reading = { ...digest.result(), from, next: Math.min(next, store.end) };
  const isWhole = options.origin === undefined;
  return { reading: isWhole ? await withCutStart(store, reading, digest.textBeforeCut) : reading, digest };
}

/** Returns the first lines as they were printed. Reads no more than it needs. */
export async function readHead(store: OutputStore, lines: number, options: TextOptions): Promise<SessionReading> {
  requireInteger("head", lines, { min: 1, max: MOST_LINES });
  return await readDigest(store, { ...options, to: await endOfLines(store, lines, options) });
}

/** The cursor at which the first `lines` lines of a range end, or the end of the range if it has fewer. */
async function endOfLines(store: OutputStore, lines: number, options: RangeOptions): Promise<Cursor> {
  let end = options.from ?? 0;
  let left = lines;
  for await (const page of pagesOf(store, options)) {
    for (const part of partsOf(store, page, options.origin)) {
      const { length, found } = takeLines(part.bytes, left);
      left -= found;
      if (left === 0) return part.from + length;
    }
    end = page.next;
  }
  return end;
}

/** Returns the last lines of the text. Reads back from the end, further while it has found too few. */
export async function readTail(store: OutputStore, lines: number, options: TextOptions): Promise<SessionReading> {
  requireInteger("tail", lines, { min: 1, max: MOST_LINES });
  requireRange(options);
  const { maxTokens = DEFAULT_MAX_TOKENS, fold = true, raw = false, tokenizer, tag } = options;
  const last = await findTail(store, lines, options);
  const whole = { text: last.text, hiddenLines: 0 };
  const equal = fold && !raw ? foldRepeats(last.text, { tag, lines: "equal" }) : whole;
  const isShort = !fold || raw || fitTokens(equal.text, maxTokens, { tokenizer, tag }).cut === null;
  // Lines that differ are folded only if the text would not fit otherwise.
  const folded = isShort ? equal : foldRepeats(last.text, { tag });
  const { text, originalTokenCount: counted, cut } = fitTokens(folded.text, maxTokens, { tokenizer, tag });
  const sizes = { originalBytes: Buffer.byteLength(last.text), foldedBytes: Buffer.byteLength(folded.text) };
  return {
    ...last,
    text,
    originalTokenCount: counted === null ? null : countBeforeFold(counted, sizes, tokenizer),
    cut: cut && { from: last.from, to: last.next },
    hiddenLines: folded.hiddenLines,
  };
}

/** The last lines in full, and the cursor at which they begin. */
async function findTail(store: OutputStore, lines: number, options: TextOptions): Promise<SessionReading> {
  const { from = 0, raw, origin, tag } = options;
  const to = Math.max(from, Math.min(options.to ?? store.end, store.end));
  const range = { to, tag, ...(raw === undefined ? {} : { raw }), ...(origin === undefined ? {} : { origin }) };
  for (let bytes = Math.max(lines * LINE_BYTES, READ_BYTES); ; bytes *= 4) {
    const start = Math.max(from, to - bytes);
    const whole = { ...range, from: start, fold: false, maxTokens: to - start + NOTE_TOKENS };
    const { reading, digest } = await digestOf(store, whole);
    const { at, isWhole } = lastLines(reading.text, lines);
    if (!isWhole && start > from && bytes < MOST_TAIL_BYTES) continue;
    if (at === 0) return reading;
    const place = digest.cursorAt(Buffer.byteLength(reading.text.slice(0, at)));
    return await readExactly(store, reading.text.slice(at), { ...whole, from: place });
  }
}

/**
 * The end of a range whose clean text is `text`. Starts at its first line if that can be located, otherwise at `from`.
 */
async function readExactly(store: OutputStore, text: string, options: TextOptions): Promise<SessionReading> {
  const near = await readDigest(store, options);
  const surplus = countLineEnds(near.text) - countLineEnds(text);
  if (surplus <= 0) return { ...near, text };
  // Most lines of the text are also lines of the output. If something was redrawn they are not, and the text differs.
  const alone = await readDigest(store, { ...options, from: await endOfLines(store, surplus, options) });
  return alone.text === text ? alone : { ...near, text };
}

/** Pure: the bytes of the first `lines` lines, and how many lines were found. */
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

/** Pure: where the last `lines` lines begin. `isWhole` is true if there is text before them. */
function lastLines(text: string, lines: number): { readonly at: number; readonly isWhole: boolean } {
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let left = lines; left > 0; left -= 1) {
    at = at > 0 ? text.lastIndexOf("\n", at - 1) : -1;
    if (at < 0) return { at: 0, isWhole: false };
  }
  return { at: at + 1, isWhole: true };
}

function countLineEnds(text: string): number {
  return text.split("\n").length - 1;
}
