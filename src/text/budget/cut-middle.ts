/**
 * Where to cut a text so that its beginning, a marker and its end fit a budget. Works on byte windows of the two ends
 * only, so that the middle need not be in memory.
 */
import { type MarkOptions, markOf } from "../mark.ts";

const BYTES_PER_TOKEN = 4;
const LINE_FEED = 0x0a;
const MOST_ROUNDS = 4;
/** A cut between lines is easier to read, but not worth more than this part of either half. */
const MOST_LOST_PART = 0.25;

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
export function cutMiddle(ends: TextEnds, maxBytes: number, { tag }: MarkOptions = {}): MiddleCut {
  const everything: MiddleCut = {
    marker: markerOf(estimateTokens(ends.totalBytes), tag),
    headBytes: 0,
    tailBytes: 0,
    totalTokens: estimateTokens(ends.totalBytes),
  };
  // The line feeds around the marker are counted only if the result would be too long with them: every cut that fits
  // without this reserve stays as it is, and no other exceeds the budget.
  const mostReserve = tag === undefined ? 1 : 2;
  for (const reserve of [0, 1, mostReserve]) {
    let guess = everything.totalTokens;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const keepBytes = maxBytes - Buffer.byteLength(markerOf(guess, tag)) - reserve;
      if (keepBytes <= 0) return everything;
      const cut = keep(ends, keepBytes, tag);
      const removed = removedTokens(ends, cut);
      if (removed === guess) {
        if (sizeOf(cut) <= maxBytes) return cut;
        break;
      }
      guess = removed;
    }
  }
  // The count swings around a power of ten and never settles. Room for the longest marker is room for any.
  const longest = Buffer.byteLength(everything.marker) + mostReserve;
  return keep(ends, Math.max(0, maxBytes - longest), tag);
}

function keep(ends: TextEnds, keepBytes: number, tag: string | undefined): MiddleCut {
  const leftBytes = Math.floor(keepBytes / 2);
  const headBytes = headEnd(ends.head, leftBytes);
  const tailBytes = tailLength(ends.tail, keepBytes - leftBytes);
  const removed = estimateTokens(ends.totalBytes - headBytes - tailBytes);
  // A mark with a tag begins a line.
  const isInsideLine = tag !== undefined && headBytes > 0 && ends.head[headBytes - 1] !== LINE_FEED;
  const marker = `${isInsideLine ? "\n" : ""}${markerOf(removed, tag)}`;
  return { marker, headBytes, tailBytes, totalTokens: estimateTokens(ends.totalBytes) };
}

function removedTokens(ends: TextEnds, cut: MiddleCut): number {
  return estimateTokens(ends.totalBytes - cut.headBytes - cut.tailBytes);
}

function sizeOf(cut: MiddleCut): number {
  return cut.headBytes + Buffer.byteLength(cut.marker) + 1 + cut.tailBytes;
}

function markerOf(tokens: number, tag: string | undefined): string {
  return markOf(`…${tokens} tokens truncated…`, tag);
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
