import { requireInteger } from "../../base/require-integer.ts";
import type { CleanText } from "../clean/cleaner.ts";
import { LineSearch } from "./line-search.ts";
import { compilePattern, type Pattern } from "./pattern.ts";

/** A line that matched, or one around it. */
export interface GrepLine {
  /** Counted from 1. */
  readonly line: number;
  /** Journal byte where the line begins; for clean text, at or shortly before it. */
  readonly cursor: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** The lines that matched, and how many there are in all. */
export interface GrepResult {
  /** Matches and their context, in order, no line twice. */
  readonly lines: readonly GrepLine[];
  /** Matching lines in `lines`. */
  readonly matches: number;
  /** All matching lines, those beyond `maxMatches` too. */
  readonly totalMatches: number;
  /** Lines that were searched. */
  readonly totalLines: number;
  /** Bytes in the range that are no longer kept anywhere and were not searched. No line spans them. */
  readonly droppedBytes: number;
}

const MOST = Number.MAX_SAFE_INTEGER;

/** How many matches to return, and how much around each. */
export interface GrepOptions {
  /** Lines to show before and after each match. Default 0. */
  readonly context?: number;
  /** How many matches to return; the others are only counted. Default 100. */
  readonly maxMatches?: number;
  /** Longer lines are cut around the match. Default 2,000. */
  readonly maxLineChars?: number;
  /** The journal byte of the first byte passed. Default 0. */
  readonly from?: number;
}

/**
 * Bytes and the journal byte of the first. It is beyond the end of the last piece if something was left out.
 */
export interface LocatedBytes {
  readonly bytes: Uint8Array;
  readonly from: number;
}

/** This many bytes are missing here; the next piece begins at journal byte `next`. */
export interface DroppedOutput {
  readonly droppedBytes: number;
  readonly next: number;
}

/** Bytes of UTF-8, text from a `Cleaner`, or a gap. */
export type GrepPiece = Uint8Array | LocatedBytes | CleanText | DroppedOutput;

/**
 * Searches line by line through text that comes in pieces, holding no more than a piece, a line and the context.
 */
export async function grep(
  source: Iterable<GrepPiece> | AsyncIterable<GrepPiece>,
  pattern: Pattern | string | RegExp,
  options: GrepOptions = {},
): Promise<GrepResult> {
  const compiled =
    typeof pattern === "object" && pattern !== null && "engine" in pattern ? pattern : compilePattern(pattern);
  const { context = 0, maxMatches = 100, maxLineChars = 2_000, from = 0 } = options;
  requireInteger("context", context, { min: 0, max: MOST });
  requireInteger("maxMatches", maxMatches, { min: 0, max: MOST });
  requireInteger("maxLineChars", maxLineChars, { min: 1, max: MOST });
  requireInteger("from", from, { min: 0, max: MOST });
  const search = new LineSearch(compiled, { context, maxMatches, maxLineChars, from });
  for await (const piece of source) search.push(piece);
  return search.finish();
}
