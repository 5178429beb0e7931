/** Searches the kept output of a session, line by line. */
import type { Page } from "../../base/cursor.ts";
import { pagesOf, partsOf, type RangeOptions } from "../../journal/output-pages.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import { Cleaner, type CleanText } from "../../text/clean/cleaner.ts";
import type { MarkOptions } from "../../text/mark.ts";
import { lineSteps } from "../../text/search/byte-lines.ts";
import { CursorMap } from "../../text/search/cursor-map.ts";
import { type GrepPiece, type GrepResult, grep } from "../../text/search/grep.ts";
import { compilePattern } from "../../text/search/pattern.ts";
import type { SearchOptions } from "./read-digest.ts";

const STEP_BYTES = 1024;

/** Uses the same patterns as `wait`. Line numbers count from the beginning of the range. */
export async function searchOutput(
  store: OutputStore,
  pattern: string | RegExp,
  options: SearchOptions,
): Promise<GrepResult> {
  const compiled = compilePattern(pattern);
  const { context, maxMatches, maxLineChars, from } = options;
  return await grep(options.raw ? rawPieces(store, options) : cleanPieces(store, options), compiled, {
    ...(context === undefined ? {} : { context }),
    ...(maxMatches === undefined ? {} : { maxMatches }),
    ...(maxLineChars === undefined ? {} : { maxLineChars }),
    ...(from === undefined ? {} : { from }),
  });
}

async function* cleanPieces(store: OutputStore, options: RangeOptions & MarkOptions): AsyncGenerator<GrepPiece> {
  let cleaner = newCleaner(store, options);
  let cursors = new CursorMap();
  for await (const page of pagesOf(store, options)) {
    if (page.dropped > 0) {
      if (cleaner.cursor > 0) yield finished(cleaner, cursors);
      yield gapBefore(page);
      cleaner = newCleaner(store, options);
      cursors = new CursorMap();
    }
    for (const part of partsOf(store, page, options.origin)) {
      // Pushed in small steps, because the cursor of a line is only known to within one step.
      for (const step of lineSteps(part.bytes, STEP_BYTES)) {
        cursors.note(cleaner.cursor, part.from + step.at);
        cleaner.push(step.bytes);
      }
    }
    if (cleaner.cursor > 0) yield located(cleaner.drain(), cursors);
  }
  if (cleaner.cursor > 0) yield store.isComplete ? finished(cleaner, cursors) : located(cleaner.take(), cursors);
}

async function* rawPieces(store: OutputStore, options: RangeOptions): AsyncGenerator<GrepPiece> {
  for await (const page of pagesOf(store, options)) {
    if (page.dropped > 0) yield gapBefore(page);
    yield* partsOf(store, page, options.origin);
  }
}

function newCleaner(store: OutputStore, { tag }: MarkOptions): Cleaner {
  const cleaner = new Cleaner(store.size);
  cleaner.tag = tag;
  return cleaner;
}

function gapBefore({ dropped, from }: Page): GrepPiece {
  return { droppedBytes: dropped, next: from };
}

/** The rest of a character before a gap, or at the end of the output, never arrives. */
function finished(cleaner: Cleaner, cursors: CursorMap): CleanText {
  cleaner.end();
  return located(cleaner.take(), cursors);
}

/** Converts byte counts of the cleaner to cursors in the journal. */
function located({ text, cursor, marks }: CleanText, cursors: CursorMap): CleanText {
  return {
    text,
    cursor: cursors.cursorOf(cursor),
    marks: marks.map((mark) => ({ textByte: mark.textByte, cursor: cursors.cursorOf(mark.cursor) })),
  };
}
