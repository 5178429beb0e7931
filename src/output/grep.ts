import type { CleanText } from "./clean.ts";
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

export interface GrepResult {
  /** Matches and their context, in order, no line twice. */
  readonly lines: readonly GrepLine[];
  /** Matching lines in `lines`. */
  readonly matches: number;
  /** All matching lines, those beyond `maxMatches` too. */
  readonly totalMatches: number;
  /** Lines that were searched. */
  readonly totalLines: number;
}

export interface GrepOptions {
  /** Lines to show before and after each match. Default 0. */
  readonly context?: number;
  /** Matches to give back; further ones are counted. Default 100. */
  readonly maxMatches?: number;
  /** Longer lines are cut around the match. Default 2,000. */
  readonly maxLineChars?: number;
  /** Journal byte of the first byte given. Default 0. */
  readonly from?: number;
}

type Source = Iterable<Uint8Array | CleanText> | AsyncIterable<Uint8Array | CleanText>;

/**
 * Searches line by line through text that comes in pieces, holding no more than a piece, a line and the context. Pieces
 * are bytes of UTF-8, or what a `Cleaner` gave.
 */
export async function grep(
  source: Source,
  pattern: Pattern | string | RegExp,
  options: GrepOptions = {},
): Promise<GrepResult> {
  const compiled = typeof pattern === "string" || pattern instanceof RegExp ? compilePattern(pattern) : pattern;
  const search = new LineSearch(compiled, {
    context: options.context ?? 0,
    maxMatches: options.maxMatches ?? 100,
    maxLineChars: options.maxLineChars ?? 2_000,
    from: options.from ?? 0,
  });
  for await (const piece of source) search.push(piece);
  return search.finish();
}
