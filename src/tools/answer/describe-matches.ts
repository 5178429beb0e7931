/** The lines of a search result, within a budget, and its fields. Pure. */
import type { GrepLine, GrepResult } from "../../text/search/grep.ts";
import { showShortTag } from "./tags.ts";

const BYTES_PER_TOKEN = 4;

export interface MatchOptions {
  /** The cursor at which the search started. */
  readonly from: number;
  readonly maxTokens: number;
  /** The tag of limpet's own lines in the output that was searched. */
  readonly readTag: string;
}

export interface DescribedMatches {
  /** What was found, in limpet's words. */
  readonly header: readonly string[];
  /** The lines that were found, each after its number. */
  readonly text: string;
  readonly tag: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

export function describeMatches(found: GrepResult, { from, maxTokens, readTag }: MatchOptions): DescribedMatches {
  const { tag, hasMarks } = showShortTag(readTag, found.lines.map(({ text }) => text).join("\n"));
  const lines = found.lines.map((line) => ({ ...line, text: line.text.replaceAll(readTag, tag) }));
  const result = { ...found, lines };
  const shown = fitting(lines, maxTokens * BYTES_PER_TOKEN);
  const matches = shown.filter(({ isMatch }) => isMatch).length;
  const isCut = shown.length < result.lines.length || matches < result.totalMatches;
  // If the search itself stopped, the position of the next match is unknown, so the next call repeats the last line
  // shown.
  const cursor = result.lines[shown.length]?.cursor ?? shown.at(-1)?.cursor ?? from;
  // The cursor of a line is only known to within a step of the search, so the next call repeats the lines of that step.
  const repeated = shown.filter((line) => line.cursor >= cursor).length;
  const isFurther = cursor > from && 2 * repeated < shown.length;
  const next = isFurther ? `continue with from=${cursor}` : "narrow the pattern, or raise max_output_tokens";
  const rest = isCut ? `, ${matches} shown; ${next}` : "";
  const { droppedBytes } = result;
  const gap = droppedBytes > 0 ? [`Warning: ${droppedBytes} bytes of output were dropped and not searched`] : [];
  return {
    header: [`${count(result.totalMatches)}${rest}`, ...gap],
    text: shown.map(describeLine).join("\n"),
    tag,
    structured: {
      total_matches: result.totalMatches,
      lines: shown.map(({ isMatch, ...line }) => ({ ...line, is_match: isMatch })),
      truncated: isCut,
      cursor,
      ...(droppedBytes > 0 ? { dropped_bytes: droppedBytes } : {}),
      ...(hasMarks ? { tag } : {}),
    },
  };
}

function fitting(lines: readonly GrepLine[], maxBytes: number): readonly GrepLine[] {
  let bytes = 0;
  const end = lines.findIndex((line) => {
    bytes += Buffer.byteLength(describeLine(line)) + 1;
    return bytes > maxBytes;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

function count(matches: number): string {
  return matches === 1 ? "1 matching line" : `${matches} matching lines`;
}

/** As grep prints it: a colon after the number of a matching line, a dash after that of a context line. */
function describeLine({ line, isMatch, text }: GrepLine): string {
  return `${line}${isMatch ? ":" : "-"} ${text}`;
}
