/**
 * What a program asks its terminal, and the answers. Pure. Answers consist of fixed numbers and the position of the
 * caret, so that whoever controls the output cannot choose what is typed.
 */

/** DA1, DA2, the status (DSR 5), and the position of the caret (CPR, DECXCPR). */
export type TerminalQuery = "attributes" | "secondary" | "status" | "position" | "private-position";

const ONE = /\x1b\[(?:(0?c)|(>0?c)|(5n)|(6n)|(\?6n))/g;
const AT_END = /(?:\x1b\[(?:0?c|>0?c|5n|6n|\?6n))+$/;
const KINDS: readonly TerminalQuery[] = ["attributes", "secondary", "status", "position", "private-position"];
/** Longer than the queries that a program sends together. */
export const QUERY_TAIL_BYTES = 128;

interface Position {
  /** From 1. */
  readonly row: number;
  readonly col: number;
}

/** The queries that the output ends with, in their order; empty if anything else follows them. */
export function queriesAtEnd(tail: Uint8Array): readonly TerminalQuery[] {
  const text = Buffer.from(tail).toString("latin1");
  const [asked = ""] = AT_END.exec(text) ?? [];
  return [...asked.matchAll(ONE)].flatMap((groups) => KINDS.filter((_, index) => groups[index + 1] !== undefined));
}

export function answerTo(query: TerminalQuery, { row, col }: Position): string {
  switch (query) {
    case "attributes":
      return "\x1b[?1;2c";
    case "secondary":
      return "\x1b[>0;276;0c";
    case "status":
      return "\x1b[0n";
    case "position":
      return `\x1b[${row};${col}R`;
    case "private-position":
      return `\x1b[?${row};${col}R`;
  }
}
