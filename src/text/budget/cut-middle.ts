/**
 * Where to cut a text so that its beginning, a marker and its end fit a budget. Works on byte windows of the two ends
 * only, so that the middle need not be in memory.
 */
import { droppedNote, type MarkOptions, markOf } from "../mark.ts";

const BYTES_PER_TOKEN = 4;
const LINE_FEED = 0x0a;
const MOST_ROUNDS = 4;
/** A cut between lines is easier to read, but not worth more than this part of either half. */
const MOST_LOST_PART = 0.25;

/** How to mark a cut. */
export interface CutOptions extends MarkOptions {
  /** Bytes in the part that is cut that are kept nowhere: the marker counts them, and a note says so. Default 0. */
  readonly droppedBytes?: number | undefined;
}

/** The two ends of a text. `head` holds at least the first, `tail` at least the last half of the budget. */
export interface TextEnds {
  readonly totalBytes: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

export interface MiddleCut {
  readonly marker: string;
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly totalTokens: number;
}

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** `maxBytes` must be smaller than `ends.totalBytes`: otherwise there is nothing to cut. */
export function cutMiddle(ends: TextEnds, maxBytes: number, options: CutOptions = {}): MiddleCut {
  const totalTokens = estimateTokens(ends.totalBytes + (options.droppedBytes ?? 0));
  const everything = { marker: markerOf(totalTokens, options), headBytes: 0, tailBytes: 0, totalTokens };
  // The line feeds around the marker are counted only if the result would be too long with them: every cut that fits
  // without this reserve stays as it is, and no other exceeds the budget.
  const mostReserve = options.tag === undefined ? 1 : 2;
  for (const reserve of [0, 1, mostReserve]) {
    let guess = totalTokens;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const keepBytes = maxBytes - Buffer.byteLength(markerOf(guess, options)) - reserve;
      if (keepBytes <= 0) return everything;
      const cut = keep(ends, keepBytes, options);
      const removed = removedTokens(ends, cut, options);
      if (removed === guess) {
        if (sizeOf(cut) <= maxBytes) return cut;
        break;
      }
      guess = removed;
    }
  }
  // The length of the count alternates around a power of ten. Room for the longest marker fits any marker.
  const longest = Buffer.byteLength(everything.marker) + mostReserve;
  return keep(ends, Math.max(0, maxBytes - longest), options);
}

function keep(ends: TextEnds, keepBytes: number, options: CutOptions): MiddleCut {
  const leftBytes = Math.floor(keepBytes / 2);
  const headBytes = headEnd(ends.head, leftBytes);
  const tailBytes = tailLength(ends.tail, keepBytes - leftBytes);
  const removed = removedTokens(ends, { headBytes, tailBytes }, options);
  // A mark with a tag begins a line.
  const isInsideLine = options.tag !== undefined && headBytes > 0 && ends.head[headBytes - 1] !== LINE_FEED;
  const marker = `${isInsideLine ? "\n" : ""}${markerOf(removed, options)}`;
  return { marker, headBytes, tailBytes, totalTokens: estimateTokens(ends.totalBytes + (options.droppedBytes ?? 0)) };
}

function removedTokens(
  ends: TextEnds,
  { headBytes, tailBytes }: Pick<MiddleCut, "headBytes" | "tailBytes">,
  { droppedBytes = 0 }: CutOptions,
): number {
  return estimateTokens(ends.totalBytes - headBytes - tailBytes + droppedBytes);
}

function sizeOf(cut: MiddleCut): number {
  return cut.headBytes + Buffer.byteLength(cut.marker) + 1 + cut.tailBytes;
}

/** With the note about what is kept nowhere, which must not be cut away itself. */
function markerOf(tokens: number, { tag, droppedBytes = 0 }: CutOptions): string {
  const marker = markOf(`…${tokens} tokens truncated…`, tag);
  return droppedBytes > 0 ? `${marker}\n${markOf(droppedNote(droppedBytes), tag)}` : marker;
}

/** How much of the first `budget` bytes to keep: up to the end of a line, or of a character. */
function headEnd(head: Buffer, budget: number): number {
  let end = Math.min(budget, head.length);
  while (!isBoundary(head, end)) end--;
  const lineEnd = end === 0 ? 0 : head.lastIndexOf(LINE_FEED, end - 1) + 1;
  return end - lineEnd <= budget * MOST_LOST_PART ? lineEnd : end;
}

/** How much of the last `budget` bytes to keep: from the beginning of a line, or of a character. */
function tailLength(tail: Buffer, budget: number): number {
  let start = Math.max(0, tail.length - budget);
  while (!isBoundary(tail, start)) start++;
  const lineFeed = tail.indexOf(LINE_FEED, start);
  const isNear = lineFeed !== -1 && lineFeed + 1 - start <= budget * MOST_LOST_PART;
  return tail.length - (isNear ? lineFeed + 1 : start);
}

function isBoundary(bytes: Buffer, at: number): boolean {
  return at === 0 || at >= bytes.length || ((bytes[at] ?? 0) & 0xc0) !== 0x80;
}
